package io.packing.bdt.master.table;

import com.google.common.hash.HashCode;
import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DeniedException;
import io.packing.bdt.Departure;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.Reclaim;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * One mount's blob descriptor table on this master's disk, as its clients see it. Each read is answered from one state of the store, never
 * from a half of what was written together; mutations are queued for the writer and answered when they are durable. Knows neither gRPC nor the backing store. Thread-safe.
 */
public final class Table {
    /** Completes when what is in the table now is as durable as its mount asks of files; the same for all who ask it. */
    private static final class Promise {
        private volatile Supplier<CompletableFuture<Void>> asked = () -> CompletableFuture.completedFuture(null);
    }

    private final TableState state;
    private final TableWriter writer;
    private final Namespace namespace;
    private final Sessions sessions;
    private final LiveWorkers live;
    private final Clock clock;
    private final HashFilter hashes;
    private final Promise promise;
    /** What whoever asks may do. */
    private final Permissions permissions;

    public Table(TableState state, TableWriter writer, Clock clock) {
        this.state = state;
        this.writer = writer;
        this.namespace = state.namespace();
        this.sessions = state.sessions();
        this.live = state.workers();
        this.clock = clock;
        this.hashes = new HashFilter(state.rows());
        this.promise = new Promise();
        this.permissions = Permissions.UNCHECKED;
    }

    private Table(Table other, Permissions permissions) {
        this.state = other.state;
        this.writer = other.writer;
        this.namespace = other.namespace;
        this.sessions = other.sessions;
        this.live = other.live;
        this.clock = other.clock;
        this.hashes = other.hashes;
        this.promise = other.promise;
        this.permissions = permissions;
    }

    /** The same table asked by somebody: what they may not see or do fails with a {@link DeniedException}. */
    public Table as(Permissions who) {
        return who.equals(permissions) ? this : new Table(this, who);
    }

    /** From now on vectors that give files bytes are answered when this, asked after they were written, completes. */
    public void answerWhen(Supplier<CompletableFuture<Void>> durable) {
        promise.asked = durable;
    }

    public TableWriter writer() {
        return writer;
    }

    public Rows rows() {
        return state.rows();
    }

    public Recoveries recoveries() {
        return sessions.recoveries();
    }

    public Optional<FileStatus> stat(FilePath path) throws IOException {
        return state.ask(view -> {
            permissions.search(view.namespace(), path);
            return view.namespace().stat(path);
        });
    }

    public Optional<Extended> extended(FilePath path) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).extended(path));
    }

    public FileStatus nearest(FilePath path) throws IOException {
        return state.ask(view -> {
            permissions.search(view.namespace(), path);
            return view.namespace().nearest(path);
        });
    }

    /** The same for who is about to make something at the path. */
    public FileStatus nearestToCreate(FilePath path) throws IOException {
        return state.ask(view -> {
            permissions.createOrReplace(view.namespace(), path);
            return new AccessQuestions(view.namespace(), permissions).nearestToCreate(view.rows(), path);
        });
    }

    /** Whether something is at a path, which may be used so. */
    public boolean access(FilePath path, int rights) throws IOException {
        AccessMode.check(rights);
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).access(path, rights));
    }

    /**
     * Whether a version is there, which may be read.
     *
     * @param path by which it was opened
     */
    public boolean mayRead(FilePath path, FileVersion version) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).mayRead(path, version));
    }

    public Optional<LocatedFile> locate(FilePath path) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).locate(path));
    }

    public Optional<LocatedFile> locate(FileVersion version) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).locate(version));
    }

    /** The same for somebody who opened it, or a file that has its bytes, by a path. */
    public Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).locate(version, openedAs));
    }

    public Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).list(directory, startAfter, limit));
    }

    /** A page of a listing with the places of files; no longer than one message. */
    public Optional<ListedPage> listLocated(FilePath directory, String startAfter, int limit) throws IOException {
        return state.ask(view -> new LocatedListing(view.namespace(), permissions).page(directory, startAfter, limit))
                .told();
    }

    /** What is at the first of some paths, in their order, with the places of files: at as many as one message has room for. */
    public List<FoundEntry> find(List<FilePath> paths) throws IOException {
        return state.ask(view -> new LocatedListing(view.namespace(), permissions).find(paths))
                .told();
    }

    /** A page of the rows of one kind. */
    public ScanPage scan(ScanPart part, String after, CollectionTimes times) throws IOException {
        return state.ask(view -> new TableScan(view.rows(), view.namespace(), times).page(part, after));
    }

    public CompletableFuture<Outcome> mkdir(
            long request, FilePath path, DirectoryAttributes attributes, boolean createParents) {
        return once(
                request,
                transaction -> new NamespaceOperations(transaction, permissions)
                        .mkdir(path, attributes, createParents, now()));
    }

    public CompletableFuture<Outcome> delete(long request, FilePath path, boolean recursive) {
        Permissions mine;
        try {
            mine = recursive ? havingLookedAt(path) : permissions;
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return once(request, transaction -> new NamespaceOperations(transaction, mine).delete(path, recursive));
    }

    /** Looks whether a tree may be deleted, which the writer would be held up by. */
    private Permissions havingLookedAt(FilePath path) throws IOException {
        return permissions.isChecked()
                ? state.ask(view -> new AccessQuestions(view.namespace(), permissions).havingLookedAt(path))
                : permissions;
    }

    public CompletableFuture<Outcome> rename(long request, FilePath from, FilePath to) {
        return once(request, transaction -> new NamespaceOperations(transaction, permissions).rename(from, to));
    }

    public CompletableFuture<Outcome> setAttributes(long request, FilePath path, AttributeChange change) {
        return once(
                request, transaction -> new NamespaceOperations(transaction, permissions).setAttributes(path, change));
    }

    /** The quota of a directory; empty: there is no such directory, or it has none. */
    public Optional<Quota> quota(FilePath directory) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).quota(view.rows(), directory));
    }

    public CompletableFuture<Outcome> setQuota(long request, FilePath directory, QuotaChange change) {
        return once(request, transaction -> new QuotaOperations(transaction, permissions).set(directory, change));
    }

    /** Applies all of a vector, or nothing of it. */
    public CompletableFuture<VectorResult> apply(long request, OperationVector vector) {
        CompletableFuture<VectorResult> applied = writer.submit(transaction -> {
            if (transaction.requests().answer(request).isPresent()) {
                return new VectorResult.Applied(transaction.counters().position);
            }
            VectorResult result = new VectorOperations(transaction, permissions, now()).apply(vector);
            transaction.requests().remember(transaction, request, Outcome.DONE);
            return result;
        });
        CompletableFuture<VectorResult> answered = applied.exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof VectorOperations.RefusedException refused
                    ? CompletableFuture.completedFuture(refused.result())
                    : CompletableFuture.failedFuture(failure);
        });
        return answered.thenCompose(result -> result instanceof VectorResult.Applied && vector.givesBytes()
                ? promise.asked.get().thenApply(durable -> result)
                : CompletableFuture.completedFuture(result));
    }

    /** Fails with {@link WorkerInUseException} when another process has the id and is alive. */
    public CompletableFuture<SessionId> register(WorkerRegistration registration) {
        Runnable[] takeBack = {() -> {}};
        CompletableFuture<SessionId> registered = writer.submit(transaction -> {
            Optional<SessionRow> before = transaction.session(registration.worker());
            if (before.isPresent() && !before.get().yieldsTo(registration)) {
                refuseWhileAlive(before.get());
            }
            SessionRow session = claims(transaction).register(registration);
            // At once: the next mutation of the group may be another process that wants the id.
            takeBack[0] = live.registered(new WorkerInfo(session.worker(), session.address(), session.epoch(), 0, 0));
            return session.id();
        });
        return registered.whenComplete((session, failure) -> {
            if (failure != null) {
                takeBack[0].run();
            }
        });
    }

    private void refuseWhileAlive(SessionRow before) throws WorkerInUseException {
        Duration left = live.leaseLeft(before.worker());
        if (!left.isZero()) {
            throw new WorkerInUseException(before.worker(), before.address(), left, live.isPresumed(before.worker()));
        }
    }

    public CompletableFuture<Long> leaseIds(SessionId session, int count) {
        return writer.submit(transaction -> claims(transaction).leaseIds(session, count));
    }

    public CompletableFuture<List<ClaimResult>> claim(SessionId session, List<Claim> batch) {
        return claim(session, batch, Claimants.ANYBODY);
    }

    /** The same for those who may not do everything. */
    public CompletableFuture<List<ClaimResult>> claim(SessionId session, List<Claim> batch, Claimants claimants) {
        CompletableFuture<List<ClaimResult>> claimed = writer.submit(
                transaction -> new ClaimOperations(transaction, new NamespaceOperations(transaction), claimants)
                        .claim(session, batch));
        return claimed.thenApply(results -> {
            batch.forEach(claim -> claim.sha256().ifPresent(hashes::add));
            return results;
        });
    }

    /** Which hashes are those of contents that a claim could share; one answer for each. */
    public List<Boolean> known(SessionId session, List<HashCode> contents) throws IOException {
        SessionRow unused = sessions.check(session, sessions.of(session.worker()));
        List<Boolean> known = new ArrayList<>(contents.size());
        for (HashCode each : contents) {
            known.add(hashes.mayHave(each)
                    && ContentHashes.find(state.rows(), namespace, each).isPresent());
        }
        return known;
    }

    public CompletableFuture<List<Optional<FileVersion>>> reclaim(SessionId session, List<Reclaim> buffered) {
        return writer.submit(transaction -> new ReclaimOperations(transaction).reclaim(session, buffered));
    }

    public CompletableFuture<Boolean> reclaimed(SessionId session) {
        return writer.submit(transaction -> new ReclaimOperations(transaction).reclaimed(session));
    }

    public CompletableFuture<HeartbeatReply> heartbeat(SessionId session, Heartbeat heartbeat) {
        try {
            sessions.witness(session.worker(), heartbeat.newest());
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (heartbeat.blobs().isEmpty() && heartbeat.files().isEmpty()) {
            try {
                return CompletableFuture.completedFuture(
                        live.answer(sessions.check(session, sessions.of(session.worker())), heartbeat));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
        return writer.submit(transaction -> {
                    SessionRow row = transaction.checkSession(session);
                    claims(transaction).commit(session, heartbeat.files());
                    for (PushedBlob blob : heartbeat.blobs()) {
                        CommitCheck.blob(session.worker(), blob);
                        transaction.blobs().pushed(blob.name(), blob.length(), true);
                    }
                    return row;
                })
                .thenApply(row -> live.answer(row, heartbeat));
    }

    public List<WorkerInfo> workers() {
        return live.live();
    }

    /** What workers asked the store since this master opened the mount, as far as they told it. */
    public StoreRequests workerRequests() {
        return live.requests();
    }

    /** Orders every live worker to seal and push what it buffers. */
    public void sealNow() {
        live.sealNow();
    }

    /** Tells a worker to leave; returns how far one is that was told; empty: there is no such worker. */
    public Optional<Departure.State> drain(String worker) {
        return live.drain(worker);
    }

    /** What a worker that was told to leave was when it was heard of last. */
    public Optional<WorkerInfo> leaving(String worker) {
        return live.leaving(worker);
    }

    public BdtStatistics statistics() {
        return state.statistics().reaching(sessions.recoveries().reach(state.position()));
    }

    /** The position of the last mutation that was written. */
    public long position() {
        return state.position();
    }

    private CompletableFuture<Outcome> once(long request, Mutation<Outcome> mutation) {
        return writer.submit(transaction -> {
            Optional<Outcome> known = transaction.requests().answer(request);
            if (known.isPresent()) {
                return known.get();
            }
            Outcome outcome = mutation.apply(transaction);
            if (outcome == Outcome.DONE) {
                transaction.quotas().check();
                transaction.requests().remember(transaction, request, outcome);
            }
            return outcome;
        });
    }

    private long now() {
        return clock.instant().toEpochMilli();
    }

    private static ClaimOperations claims(Transaction transaction) {
        return new ClaimOperations(transaction, new NamespaceOperations(transaction));
    }
}
