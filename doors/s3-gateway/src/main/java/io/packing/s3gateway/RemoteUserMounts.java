// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.s3gateway.objects.RecentBytes;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.objects.UserMounts;
import io.packing.transport.Security;
import io.packing.worker.api.Awaited;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.ReadCaches;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
    /** The bytes of small objects in memory: a sixteenth of a daemon's heap. */
    private static final long RECENT_BYTES = 64L << 20;
    /** The interval in which tokens are looked at. */
    private static final Duration LOOK = Duration.ofSeconds(30);

    private final String masters;
    private final MountOptions options;
    private final RemotePackingFileSystem.StoreOpener stores;
    private final Writers writers;
    private final Clock clock;
    private final GrpcBdts own;
    private final ReadCaches caches = new ReadCaches();
    private final RecentBytes recent = new RecentBytes(RECENT_BYTES);
    private final ExecutorService lookups = Executors.newFixedThreadPool(LOOKUP_THREADS, named("s3-lookup-"));
    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor(named("s3-tokens-"));
    private final Map<String, CompletableFuture<Opened>> users = new ConcurrentHashMap<>();
    /** The gateway's own view of the mount. */
    private final Bdt bdt;
    /** The files that all users share; empty: each user has own files, by a token. */
    private final Optional<RemotePackingFileSystem> common;

    private volatile boolean isClosed;

    /** A user's mount, and the connection and token behind it. */
    private record Opened(
            UserMount mount, RemotePackingFileSystem files, Optional<GrpcBdts> bdts, Optional<UserToken> token) {}

    private RemoteUserMounts(
            String masters,
            MountOptions options,
            RemotePackingFileSystem.StoreOpener stores,
            Writers writers,
            Clock clock,
            GrpcBdts own)
            throws IOException {
        this.masters = masters;
        this.options = options;
        this.stores = stores;
        this.writers = writers;
        this.clock = clock;
        this.own = own;
        this.bdt = own.open(options.raw());
        try {
            this.common = isSecured()
                    ? Optional.empty()
                    : Optional.of(RemotePackingFileSystem.open(own, options, stores, writers, caches));
        } catch (IOException | RuntimeException e) {
            bdt.close();
            throw e;
        }
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
        RemoteUserMounts mounts;
        try {
            mounts = new RemoteUserMounts(masters, options, stores, writers, clock, own);
        } catch (IOException | RuntimeException e) {
            own.close();
            throw e;
        }
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
        Outcome unused = bdt.mkdir(FilePath.SCRATCH, new DirectoryAttributes("", "", SCRATCH_MODE), true);
    }

    /** Returns the reason why the mount does not answer; empty if it does. */
    public Optional<String> problem() {
        try {
            return bdt.stat(FilePath.ROOT).isPresent() ? Optional.empty() : Optional.of("the mount has no root");
        } catch (IOException e) {
            return Optional.of("the mount does not answer: " + e.getMessage());
        }
    }

    private boolean isSecured() {
        return options.security().tls().isPresent();
    }

    /** Returns a user's mount. The first request of a user opens it, and only requests of that user wait meanwhile. */
    @Override
    public UserMount of(String user) throws IOException {
        if (isClosed) {
            throw new IOException("the gateway stops");
        }
        CompletableFuture<Opened> there = users.get(user);
        if (there != null) {
            return Awaited.shared(there, "the mount of a user is opened").mount();
        }
        CompletableFuture<Opened> mine = new CompletableFuture<>();
        CompletableFuture<Opened> others = users.putIfAbsent(user, mine);
        if (others != null) {
            return Awaited.shared(others, "the mount of a user is opened").mount();
        }
        try {
            Opened opened = common.isPresent() ? view(common.get(), user) : openFor(user);
            mine.complete(opened);
            if (isClosed) {
                // The gateway may not have seen it.
                close(opened);
            }
            return opened.mount();
        } catch (IOException | RuntimeException e) {
            users.remove(user, mine);
            mine.completeExceptionally(e);
            throw e;
        }
    }

    private Opened view(RemotePackingFileSystem files, String user) {
        return new Opened(new UserMount(files, user, lookups, recent), files, Optional.empty(), Optional.empty());
    }

    private Opened openFor(String user) throws IOException {
        UserToken token = new UserToken(user, own.tokens().issue(user, ""), clock.instant());
        Security security = options.security().onlyShowing(token);
        GrpcBdts bdts = GrpcBdts.connect(masters, options.timeouts().master(), security);
        try {
            RemotePackingFileSystem files =
                    RemotePackingFileSystem.open(bdts, options.securedBy(security), stores, writers, caches);
            return new Opened(
                    new UserMount(files, user, lookups, recent), files, Optional.of(bdts), Optional.of(token));
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

    private List<UserToken> tokens() {
        return opened().stream().flatMap(each -> each.token().stream()).toList();
    }

    private List<Opened> opened() {
        return users.values().stream()
                .filter(each -> each.isDone() && !each.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
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
    public void close() throws IOException {
        isClosed = true;
        renewals.shutdownNow();
        lookups.shutdownNow();
        try {
            for (Opened each : opened()) {
                close(each);
            }
            if (common.isPresent()) {
                common.get().close();
            }
        } finally {
            users.clear();
            bdt.close();
            own.close();
        }
    }

    private static void close(Opened user) {
        if (user.bdts().isEmpty()) {
            // All users share the files.
            return;
        }
        try {
            user.files().close();
        } catch (IOException e) {
            LOG.warn(
                    "the mount of user {} did not close cleanly: {}",
                    user.mount().user(),
                    e.toString());
        }
        user.bdts().get().close();
    }
}
