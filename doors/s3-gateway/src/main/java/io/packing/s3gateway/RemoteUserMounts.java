// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.objects.UserMounts;
import io.packing.transport.Security;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.ReadCaches;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mounts of a gateway's users at a master. With TLS the gateway is a superuser, who gets a token for each user: all that a request does
 * is done with the rights of its user. Without TLS a master checks no rights, and all users share one mount. Thread-safe.
 */
public final class RemoteUserMounts implements UserMounts {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteUserMounts.class);
    private static final int LOOKUP_THREADS = 16;
    private static final int SCRATCH_MODE = 0755;
    /** The interval in which tokens are looked at. */
    private static final Duration LOOK = Duration.ofSeconds(30);

    private final String masters;
    private final MountOptions options;
    private final RemotePackingFileSystem.StoreOpener stores;
    private final Writers writers;
    private final Clock clock;
    private final GrpcBdts own;
    private final ReadCaches caches = new ReadCaches();
    private final ExecutorService lookups = Executors.newFixedThreadPool(LOOKUP_THREADS, named("s3-lookup-"));
    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor(named("s3-tokens-"));
    private final Map<String, Opened> users = new HashMap<>();
    private boolean isClosed;

    /** A user's mount, and the connection and token behind it. */
    private record Opened(
            UserMount mount, RemotePackingFileSystem files, Optional<GrpcBdts> bdts, Optional<UserToken> token) {}

    private RemoteUserMounts(
            String masters,
            MountOptions options,
            RemotePackingFileSystem.StoreOpener stores,
            Writers writers,
            Clock clock,
            GrpcBdts own) {
        this.masters = masters;
        this.options = options;
        this.stores = stores;
        this.writers = writers;
        this.clock = clock;
        this.own = own;
    }

    /**
     * Opens the mount.
     *
     * @param masters addresses of the masters
     * @throws IOException when the master does not answer, or refuses the gateway
     */
    public static RemoteUserMounts open(
            String masters,
            MountOptions options,
            RemotePackingFileSystem.StoreOpener stores,
            Writers writers,
            Clock clock)
            throws IOException {
        GrpcBdts own = GrpcBdts.connect(masters, options.timeouts().master(), options.security());
        RemoteUserMounts mounts = new RemoteUserMounts(masters, options, stores, writers, clock, own);
        try {
            mounts.makeScratch();
            Future<?> unused = mounts.renewals.scheduleWithFixedDelay(
                    mounts::renew, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
            return mounts;
        } catch (IOException | RuntimeException e) {
            mounts.close();
            throw e;
        }
    }

    /** Makes the directory of scratch files, which users could not make themselves. */
    private void makeScratch() throws IOException {
        try (Bdt bdt = own.open(options.raw())) {
            Outcome unused = bdt.mkdir(FilePath.SCRATCH, new DirectoryAttributes("", "", SCRATCH_MODE), true);
        }
    }

    private boolean isSecured() {
        return options.security().tls().isPresent();
    }

    @Override
    public synchronized UserMount of(String user) throws IOException {
        if (isClosed) {
            throw new IOException("the gateway stops");
        }
        Opened there = users.get(user);
        if (there == null) {
            there = isSecured() ? openFor(user) : shared(user);
            users.put(user, there);
        }
        return there.mount();
    }

    /** Returns a user's view of the one mount. */
    private Opened shared(String user) throws IOException {
        Optional<Opened> other = users.values().stream().findFirst();
        RemotePackingFileSystem files = other.isPresent()
                ? other.get().files()
                : RemotePackingFileSystem.open(own, options, stores, writers, caches);
        return new Opened(new UserMount(files, user, lookups), files, Optional.empty(), Optional.empty());
    }

    private Opened openFor(String user) throws IOException {
        UserToken token = new UserToken(user, own.tokens().issue(user, ""), clock.instant());
        Security security = options.security().onlyShowing(token);
        GrpcBdts bdts = GrpcBdts.connect(masters, options.timeouts().master(), security);
        try {
            RemotePackingFileSystem files =
                    RemotePackingFileSystem.open(bdts, options.securedBy(security), stores, writers, caches);
            return new Opened(new UserMount(files, user, lookups), files, Optional.of(bdts), Optional.of(token));
        } catch (IOException | RuntimeException e) {
            bdts.close();
            throw e;
        }
    }

    /** A user's token, which is replaced before it ends. */
    private static final class UserToken implements Security.TokenSource {
        private final String user;
        private volatile IssuedToken now;
        private volatile Instant issued;

        UserToken(String user, IssuedToken now, Instant issued) {
            this.user = user;
            this.now = now;
            this.issued = issued;
        }

        @Override
        public Optional<String> token() {
            return Optional.of(now.text());
        }

        boolean isDue(Instant time) {
            return time.isAfter(
                    issued.plus(Duration.between(issued, now.renewedUntil()).dividedBy(2)));
        }

        void replace(IssuedToken next, Instant time) {
            now = next;
            issued = time;
        }
    }

    private void renew() {
        for (UserToken token : tokens()) {
            try {
                if (token.isDue(clock.instant())) {
                    token.replace(own.tokens().issue(token.user, ""), clock.instant());
                }
            } catch (IOException | RuntimeException e) {
                // Half of its validity is left for the next attempts.
                LOG.warn("no new token for user {}: {}", token.user, e.toString());
            }
        }
    }

    private synchronized Iterable<UserToken> tokens() {
        return users.values().stream().flatMap(each -> each.token().stream()).toList();
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger next = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + next.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        renewals.shutdownNow();
        lookups.shutdownNow();
        IOException failure = null;
        for (Opened each : users.values()) {
            try {
                each.files().close();
            } catch (IOException e) {
                failure = e;
            }
            each.bdts().ifPresent(GrpcBdts::close);
        }
        users.clear();
        own.close();
        if (failure != null) {
            throw failure;
        }
    }
}
