// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.owner;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.fuse.posix.owner.NameService.Account;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cache of a name service's answers. Thread-safe. */
final class KnownAccounts {
    private static final Logger LOG = LoggerFactory.getLogger(KnownAccounts.class);
    private static final int MOST = 100_000;
    /**
     * The life of a found account: it seldom gets another number. A missing one lives shorter, since a new account is
     * wanted soon.
     */
    private static final long FOUND_NANOS = Duration.ofMinutes(10).toNanos();

    private static final long MISSING_NANOS = Duration.ofMinutes(1).toNanos();
    /**
     * The life of the last good answer: a directory service that is away answers as if it knew no account, and its
     * users keep their files meanwhile.
     */
    private static final long LAST_NANOS = Duration.ofDays(1).toNanos();

    private final NameService service;
    private final LongSupplier nanoTime;
    private final Cache<Object, Known> known =
            CacheBuilder.newBuilder().maximumSize(MOST).build();
    private final ReentrantLock asking = new ReentrantLock();

    /**
     * An answer about a name or a number, and its age.
     *
     * @param askedAt the time of the last question
     * @param foundAt the time of the last answer with the account
     */
    private record Known(Optional<Account> account, long askedAt, long foundAt) {
        boolean isFresh(long now) {
            return now - askedAt < (account.isPresent() ? FOUND_NANOS : MISSING_NANOS);
        }
    }

    /** A question to a service. */
    private interface Question {
        Optional<Account> ask() throws IOException;
    }

    KnownAccounts(NameService service, LongSupplier nanoTime) {
        this.service = service;
        this.nanoTime = nanoTime;
    }

    Optional<Account> named(String name) {
        return find(name, () -> service.named(name));
    }

    Optional<Account> numbered(int number) {
        return find(number, () -> service.numbered(number));
    }

    private Optional<Account> find(Object key, Question question) {
        Known has = known.getIfPresent(key);
        if (has != null && has.isFresh(nanoTime.getAsLong())) {
            return has.account();
        }
        // An old answer is enough for all callers but one: a slow service holds up one call.
        if (has == null) {
            asking.lock();
        } else if (!asking.tryLock()) {
            return has.account();
        }
        try {
            Known other = known.getIfPresent(key);
            if (other != null && other.isFresh(nanoTime.getAsLong())) {
                return other.account();
            }
            Known now = ask(key, question, Optional.ofNullable(other));
            known.put(key, now);
            return now.account();
        } finally {
            asking.unlock();
        }
    }

    private Known ask(Object key, Question question, Optional<Known> before) {
        Optional<Account> found = Optional.empty();
        try {
            found = question.ask();
        } catch (IOException e) {
            LOG.warn("the name service of this machine does not answer about {}: {}", key, e.getMessage());
        }
        long now = nanoTime.getAsLong();
        if (found.isEmpty()
                && before.isPresent()
                && before.get().account().isPresent()
                && now - before.get().foundAt() < LAST_NANOS) {
            return new Known(before.get().account(), now, before.get().foundAt());
        }
        return new Known(found, now, now);
    }
}
