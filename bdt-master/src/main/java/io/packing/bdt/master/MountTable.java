package io.packing.bdt.master;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.DirectoryStatistics;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * One mount's blob descriptor table on this master's disk. Reads go to the store; mutations are queued for the mount's
 * writer and answered when they are durable. Knows neither gRPC nor the backing store. Thread-safe.
 */
final class MountTable {
    private static final long CACHED_DIRECTORIES = 50_000;

    private final SortedStore store;
    private final MountLog mountLog;
    private final MountWriter writer;
    private final Namespace namespace;
    private final LiveWorkers live;
    private final InstantSource clock;
    private final Sessions sessions;
    private volatile DirectoryStatistics statistics;
    private volatile long position;

    /**
     * @param workerLease for how long a worker counts as alive after its last heartbeat
     * @param answers runs what waits for a mutation, in order: one thread
     */
    MountTable(
            String name,
            SortedStore store,
            MountLog mountLog,
            boolean synced,
            Duration workerLease,
            InstantSource clock,
            LongSupplier nanoClock,
            Executor answers)
            throws IOException {
        this.store = store;
        this.mountLog = mountLog;
        this.clock = clock;
        Replay.run(store, mountLog, synced);
        Rows rows = new StoreRows(store);
        Counters counters = store.get(Table.COUNTERS).map(Counters::decode).orElseGet(Counters::new);
        this.statistics = counters.statistics();
        this.position = counters.position;
        Recoveries.complete(store);
        this.sessions = Sessions.load(rows);
        DirectoryCache cache = new DirectoryCache(store, CACHED_DIRECTORIES);
        this.live = new LiveWorkers(workerLease, nanoClock);
        this.namespace = new Namespace(rows, cache, sessions::of);
        this.writer = new MountWriter(
                name,
                store,
                mountLog,
                synced,
                counters,
                cache,
                sessions,
                RequestMemory.load(rows),
                (changes, forgets, totals, last) -> {
                    MountWriter.forEachEntryKey(changes, cache::invalidate);
                    changes.all().forEach(row -> sessions.written(row.getKey(), row.getValue()));
                    forgets.forEach(live::forget);
                    statistics = totals;
                    position = last;
                },
                answers);
    }

    MountWriter writer() {
        return writer;
    }

    Rows rows() {
        return new StoreRows(store);
    }

    Recoveries recoveries() {
        return sessions.recoveries();
    }

    Optional<FileStatus> stat(FilePath path) throws IOException {
        return namespace.stat(path);
    }

    FileStatus nearest(FilePath path) throws IOException {
        return namespace.nearest(path);
    }

    Optional<LocatedFile> locate(FilePath path) throws IOException {
        return namespace.locate(path);
    }

    Optional<LocatedFile> locate(FileVersion version) throws IOException {
        return namespace.locate(version);
    }

    Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException {
        if (limit <= 0) {
            throw new IllegalArgumentException("a page of %d entries".formatted(limit));
        }
        return namespace.list(directory, startAfter, Math.min(limit, 10_000));
    }

    CompletableFuture<Outcome> mkdir(
            long request, FilePath path, DirectoryAttributes attributes, boolean createParents) {
        return once(request, table -> new NamespaceChanges(table).mkdir(path, attributes, createParents, now()));
    }

    CompletableFuture<Outcome> delete(long request, FilePath path, boolean recursive) {
        return once(request, table -> new NamespaceChanges(table).delete(path, recursive));
    }

    CompletableFuture<Outcome> rename(long request, FilePath from, FilePath to) {
        return once(request, table -> new NamespaceChanges(table).rename(from, to));
    }

    CompletableFuture<Outcome> setAttributes(long request, FilePath path, AttributeChange change) {
        return once(request, table -> new NamespaceChanges(table).setAttributes(path, change));
    }

    /** Fails with {@link WorkerInUseException} when another process has the id and is alive. */
    CompletableFuture<Long> register(WorkerRegistration registration) {
        Runnable[] takeBack = {() -> {}};
        CompletableFuture<Long> registered = writer.submit(table -> {
            Optional<SessionRow> before = table.session(registration.worker());
            if (before.isPresent() && !takesOver(registration, before.get())) {
                refuseWhileAlive(before.get());
            }
            SessionRow session = claims(table).register(registration);
            // At once: the next mutation of the group may be another process that wants the id.
            takeBack[0] = live.registered(new WorkerInfo(session.worker(), session.address(), session.epoch(), 0, 0));
            return session.epoch();
        });
        return registered.whenComplete((epoch, failure) -> {
            if (failure != null) {
                takeBack[0].run();
            }
        });
    }

    private static boolean takesOver(WorkerRegistration registration, SessionRow before) {
        return registration.takesOver() && registration.buffer().equals(before.buffer());
    }

    private void refuseWhileAlive(SessionRow before) throws WorkerInUseException {
        Duration left = live.leaseLeft(before.worker());
        if (!left.isZero()) {
            throw new WorkerInUseException(before.worker(), before.address(), left, live.isPresumed(before.worker()));
        }
    }

    CompletableFuture<Long> leaseIds(String worker, long epoch, int count) {
        return writer.submit(table -> claims(table).leaseIds(worker, epoch, count));
    }

    CompletableFuture<List<ClaimResult>> claim(String worker, long epoch, List<Claim> batch) {
        return writer.submit(table -> claims(table).claim(worker, epoch, batch));
    }

    CompletableFuture<List<Optional<FileVersion>>> reclaim(String worker, long epoch, List<Reclaim> buffered) {
        return writer.submit(table -> new ReclaimChanges(table).reclaim(worker, epoch, buffered));
    }

    CompletableFuture<Boolean> reclaimed(String worker, long epoch) {
        return writer.submit(table -> new ReclaimChanges(table).reclaimed(worker, epoch));
    }

    CompletableFuture<HeartbeatReply> heartbeat(String worker, long epoch, Heartbeat heartbeat) {
        if (heartbeat.blobs().isEmpty() && heartbeat.files().isEmpty()) {
            try {
                return CompletableFuture.completedFuture(
                        answer(sessions.check(worker, epoch, sessions.of(worker)), heartbeat));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
        return writer.submit(table -> {
                    SessionRow session = table.checkSession(worker, epoch);
                    claims(table).commit(worker, epoch, heartbeat.files());
                    for (PushedBlob blob : heartbeat.blobs()) {
                        CommitCheck.blob(worker, blob);
                        table.pushed(blob.name(), blob.length(), true);
                    }
                    return session;
                })
                .thenApply(session -> answer(session, heartbeat));
    }

    List<WorkerInfo> workers() {
        return live.live();
    }

    /** Orders every live worker to seal and push what it buffers. */
    void sealNow() {
        live.sealNow();
    }

    DirectoryStatistics statistics() {
        return statistics;
    }

    /** The position of the last mutation that was written. */
    long position() {
        return position;
    }

    /** What others must leave free on the disk, so that mutations are taken. */
    long keptFreeBytes() {
        return store.keptFreeBytes();
    }

    /** Closes files; the writer's thread must have ended. */
    void close() throws IOException {
        try (mountLog) {
            mountLog.sync();
        } finally {
            store.close();
        }
    }

    private HeartbeatReply answer(SessionRow session, Heartbeat heartbeat) {
        String worker = session.worker();
        live.heard(new WorkerInfo(
                worker, session.address(), session.epoch(), heartbeat.bufferedFiles(), heartbeat.bufferedBytes()));
        return new HeartbeatReply(live.lease(), live.takeSealNow(worker), live.takeOrders(worker));
    }

    private CompletableFuture<Outcome> once(long request, Mutation<Outcome> mutation) {
        return writer.submit(table -> {
            Optional<Outcome> known = table.requests().answer(request);
            if (known.isPresent()) {
                return known.get();
            }
            Outcome outcome = mutation.apply(table);
            if (outcome == Outcome.DONE) {
                table.requests().remember(table, request, outcome);
            }
            return outcome;
        });
    }

    private long now() {
        return clock.instant().toEpochMilli();
    }

    private static ClaimChanges claims(Table table) {
        return new ClaimChanges(table, new NamespaceChanges(table));
    }
}
