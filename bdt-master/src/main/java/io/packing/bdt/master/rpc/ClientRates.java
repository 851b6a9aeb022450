// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.grpc.ServerCall;
import io.packing.bdt.BusyException;
import io.packing.transport.identity.CallerAddress;
import io.packing.transport.identity.Identity;
import io.packing.transport.identity.Role;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The limits of each client's calls: by the name in its certificate or token, or else by its address (RFC 0014). Daemons and superusers are
 * not limited. Thread-safe.
 */
public final class ClientRates extends Refusing {
    private static final int MOST_CLIENTS = 10_000;
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

    private final LongSupplier nanoClock;
    private final Cache<String, Bucket> clients;
    private volatile RateLimits terms;

    /**
     * The limits.
     *
     * @param perSecond calls of a client; 0: as many as it likes
     * @param burst how many at once
     */
    public record RateLimits(long perSecond, long burst) {
        public static final RateLimits NONE = new RateLimits(0, 1);

        public RateLimits {
            if (perSecond < 0 || burst < 1) {
                throw new IllegalArgumentException("%d calls a second, %d at once".formatted(perSecond, burst));
            }
        }
    }

    public ClientRates(RateLimits terms, LongSupplier nanoClock) {
        this.terms = terms;
        this.nanoClock = nanoClock;
        this.clients = Caffeine.newBuilder()
                .maximumSize(MOST_CLIENTS)
                .expireAfterAccess(FORGOTTEN_AFTER)
                .ticker(nanoClock::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    /** From the next call on, these hold. */
    public void take(RateLimits other) {
        if (!other.equals(terms)) {
            terms = other;
            clients.invalidateAll();
        }
    }

    @Override
    Optional<BusyException> refusal(ServerCall<?, ?> call, String method) {
        RateLimits now = terms;
        if (now.perSecond == 0) {
            return Optional.empty();
        }
        Optional<Identity> who = Identity.current();
        if (who.filter(known -> known.has(Role.DAEMON) || known.has(Role.SUPERUSER))
                .isPresent()) {
            return Optional.empty();
        }
        String client = who.map(known -> "user " + known.user()).orElseGet(() -> "address " + CallerAddress.of(call));
        return refusal(client, now);
    }

    /** Why a client may not call now; empty: it may, and this is one of its calls. */
    Optional<BusyException> refusal(String client, RateLimits now) {
        ConsumptionProbe probe = clients.get(client, name -> bucket(now)).tryConsumeAndReturnRemaining(1);
        if (probe.isConsumed()) {
            return Optional.empty();
        }
        long millis = 1 + probe.getNanosToWaitForRefill() / 1_000_000;
        return Optional.of(new BusyException(
                "%s calls more than %d times a second, which bdt.client.rate allows; again in %d ms"
                        .formatted(client, now.perSecond, millis),
                Duration.ofMillis(millis)));
    }

    private Bucket bucket(RateLimits now) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(now.burst).refillGreedy(now.perSecond, Duration.ofSeconds(1)))
                .withCustomTimePrecision(new TimeMeter() {
                    @Override
                    public long currentTimeNanos() {
                        return nanoClock.getAsLong();
                    }

                    @Override
                    public boolean isWallClockBased() {
                        return false;
                    }
                })
                .build();
    }
}
