// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

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
import io.packing.bdt.OwnNames;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.Reclaim;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WantedContent;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.change.Mutation;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.change.Sessions;
import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.operation.Claimants;
import io.packing.bdt.master.table.operation.NamespaceOperations;
import io.packing.bdt.master.table.operation.QuotaOperations;
import io.packing.bdt.master.table.operation.SessionOperations;
import io.packing.bdt.master.table.read.AccessQuestions;
import io.packing.bdt.master.table.read.CollectionTimes;
import io.packing.bdt.master.table.read.Extended;
import io.packing.bdt.master.table.read.LocatedListing;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.OwnNameScan;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.TableScan;
import io.packing.bdt.master.table.recover.ReclaimOperations;
import io.packing.bdt.master.table.row.RequestSize;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One mount's blob descriptor table on this master's disk, as its clients see it. Each read is answered from one state of the store, never
 * from a half of what was written together; mutations are queued for the writer and answered when they are durable. Knows neither gRPC nor the backing store. Thread-safe.
 */
public final class Table {
    private final TableState state;
    private final TableWriter writer;
    private final Namespace namespace;
    private final Sessions sessions;
    private final LiveWorkers live;
    private final Clock clock;
    private final KnownContents contents;
    private final VectorWriter vectors;
    /** The permissions of the caller. */
    private final Permissions permissions;

    public Table(TableState state, TableWriter writer, Clock clock) {
        this.state = state;
        this.writer = writer;
        this.namespace = state.namespace();
        this.sessions = state.sessions();
        this.live = state.workers();
        this.clock = clock;
        this.contents = new KnownContents(state, writer, clock.instant());
        this.vectors = new VectorWriter(writer);
        this.permissions = Permissions.UNCHECKED;
    }

    private Table(Table other, Permissions permissions) {
        this.state = other.state;
        this.writer = other.writer;
        this.namespace = other.namespace;
        this.sessions = other.sessions;
        this.live = other.live;
        this.clock = other.clock;
        this.contents = other.contents;
        this.vectors = other.vectors;
        this.permissions = permissions;
    }

    /** Returns the table for a caller: a call beyond the permissions of the caller fails with a {@link DeniedException}. */
    public Table as(Permissions who) {
        return who.equals(permissions) ? this : new Table(this, who);
    }

    /** Answers some vectors from now on when this, asked after they were written, completes. */
    public void answerWhen(Predicate<OperationVector> these, Supplier<CompletableFuture<Void>> durable) {
        vectors.answerWhen(these, durable);
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
        return state.ask(view -> permissions.reach(view.namespace(), path).status());
    }

    /** Returns whether a file is there that has an id, at whatever path. */
    public boolean hasFile(long id) throws IOException {
        return state.ask(view -> view.namespace().link(id).isPresent());
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

    /** Finds the entry nearest to a path at which the caller is about to make one. */
    public FileStatus nearestToCreate(FilePath path) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).nearestToCreate(view.rows(), path));
    }

    /** Returns whether an entry is at a path; the caller may use it so. */
    public boolean access(FilePath path, int rights) throws IOException {
        AccessMode.check(rights);
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).access(path, rights));
    }

    /**
     * Finds which bytes of a version may be read; empty: it is not there.
     *
     * @param path by which it was opened
     * @param from the answer tells of bytes from here on; empty: all bytes, or it is denied
     */
    public Optional<ReadableBytes> readable(FilePath path, FileVersion version, OptionalLong from) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).readable(path, version, from));
    }

    public Optional<LocatedFile> locate(FilePath path) throws IOException {
        return state.lookups()
                .located(state.ask(view -> new AccessQuestions(view.namespace(), permissions).locate(path)));
    }

    public Optional<LocatedFile> locate(FileVersion version) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).locate(version));
    }

    /** Locates a version for a caller who opened it, or a file that has its bytes, by a path. */
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

    /** A page of the own names of a clone; empty: one of the directories does not exist. */
    public Optional<OwnNames> ownNames(FilePath clone, FilePath source, FilePath after, int limit) throws IOException {
        return state.ask(
                view -> new OwnNameScan(view.rows(), view.namespace(), permissions, limit).page(clone, source, after));
    }

    /** Finds the entries at the first of some paths, in their order, with the places of files: as many as one message has room for. */
    public List<FoundEntry> find(List<FilePath> paths) throws IOException {
        return state.lookups()
                .found(state.ask(view -> new LocatedListing(view.namespace(), permissions).find(paths))
                        .told());
    }

    /** A page of the rows of one kind. */
    public ScanPage scan(ScanPart part, String after, CollectionTimes times) throws IOException {
        return state.ask(view ->
                new TableScan(view.rows(), view.namespace(), times, Recoveries.undated(view.rows())).page(part, after));
    }

    public CompletableFuture<Outcome> mkdir(
            long request, FilePath path, DirectoryAttributes attributes, boolean createParents) {
        return names(request, permissions, names -> names.mkdir(path, attributes, createParents, now()), path);
    }

    public CompletableFuture<Outcome> delete(long request, FilePath path, boolean recursive) {
        Permissions mine;
        try {
            mine = recursive ? havingLookedAt(path) : permissions;
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return names(request, mine, names -> names.delete(path, recursive), path);
    }

    /** Checks whether a tree may be deleted, which would hold the writer up. */
    private Permissions havingLookedAt(FilePath path) throws IOException {
        return permissions.isChecked()
                ? state.ask(view -> new AccessQuestions(view.namespace(), permissions).havingLookedAt(path))
                : permissions;
    }

    public CompletableFuture<Outcome> rename(long request, FilePath from, FilePath to) {
        return names(request, permissions, names -> names.rename(from, to), from, to);
    }

    public CompletableFuture<Outcome> setAttributes(long request, FilePath path, AttributeChange change) {
        return names(request, permissions, names -> names.setAttributes(path, change), path);
    }

    /** The quota of a directory; empty: there is no such directory, or it has none. */
    public Optional<Quota> quota(FilePath directory) throws IOException {
        return state.ask(view -> new AccessQuestions(view.namespace(), permissions).quota(view.rows(), directory));
    }

    /** Sets a quota, and waits until what the directory has is counted. The writer is not held up by that. */
    public CompletableFuture<Outcome> setQuota(long request, FilePath directory, QuotaChange change) {
        try {
            Outcome outcome = Waiting.on(once(
                    request,
                    RequestSize.of(directory),
                    transaction -> new QuotaOperations(transaction, permissions).set(directory, change)));
            boolean more = outcome == Outcome.DONE;
            while (more) {
                more = countQuota();
            }
            return CompletableFuture.completedFuture(outcome);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Counts the next directory whose quota needs it; returns whether there was one. */
    public boolean countQuota() throws IOException {
        return QuotaUpkeep.step(state, writer);
    }

    /** Applies all of a vector, or nothing of it. */
    public CompletableFuture<VectorResult> apply(long request, OperationVector vector) {
        return vectors.apply(request, vector, permissions, now());
    }

    /** Fails with {@link io.packing.bdt.WorkerInUseException} when another process has the id and is alive. */
    public CompletableFuture<SessionId> register(WorkerRegistration registration) {
        return new Registering(live, registration).on(writer);
    }

    public CompletableFuture<Long> leaseIds(SessionId session, int count) {
        return writer.submit(transaction -> new SessionOperations(transaction).leaseIds(session, count));
    }

    public CompletableFuture<List<ClaimResult>> claim(SessionId session, List<Claim> batch) {
        return claim(session, batch, Claimants.ANYBODY);
    }

    /** Claims files for users who may not do everything. */
    public CompletableFuture<List<ClaimResult>> claim(SessionId session, List<Claim> batch, Claimants claimants) {
        return new ClaimWriter(writer, vectors)
                .claim(session, batch, claimants, now())
                .thenApply(
                        results -> contents.claimed(batch, state.directories().claimed(batch, results)));
    }

    /** Returns which contents a claim for their users could share; one answer for each. */
    public List<Boolean> known(SessionId session, List<WantedContent> wanted, Claimants claimants) throws IOException {
        return contents.known(session, wanted, claimants);
    }

    /** The hashes and fingerprints of contents that claims may share. */
    public KnownContents contents() {
        return contents;
    }

    public CompletableFuture<List<Optional<FileVersion>>> reclaim(SessionId session, List<Reclaim> buffered) {
        return writer.submit(transaction -> new ReclaimOperations(transaction).reclaim(session, buffered))
                .thenCompose(
                        found -> vectors.journaled(found, ReclaimOperations.mayBeOlderThanALoss(recoveries(), found)));
    }

    public CompletableFuture<Boolean> reclaimed(SessionId session) {
        return writer.submit(transaction -> new ReclaimOperations(transaction).reclaimed(session))
                .thenApply(lost -> Standing.tell(session, lost));
    }

    public CompletableFuture<HeartbeatReply> heartbeat(SessionId session, Heartbeat heartbeat) {
        return new ReceivedHeartbeat(state, session, heartbeat).on(writer);
    }

    public List<WorkerInfo> workers() {
        return live.live();
    }

    /** Returns the requests of workers to the store since this master opened the mount, as far as it heard of them. */
    public StoreRequests workerRequests() {
        return live.requests();
    }

    /** Orders every live worker to seal and push what it buffers. */
    public void sealNow() {
        live.sealNow();
    }

    /** Orders a worker to leave; returns how far a worker with this order is; empty: there is no such worker. */
    public Optional<Departure.State> drain(String worker) {
        return live.drain(worker);
    }

    /** Returns the last heartbeat of a worker that has the order to leave. */
    public Optional<WorkerInfo> leaving(String worker) {
        return live.leaving(worker);
    }

    /** Tells operators of lost files, of a lack of workers, and of what was written where. */
    public Standing standing() {
        return new Standing(state);
    }

    public BdtStatistics statistics() {
        return state.statistics().reaching(sessions.recoveries().reach(state.position()));
    }

    /** The position of the last mutation that was written. */
    public long position() {
        return state.position();
    }

    /** Learns that the store has all changes of names up to a position, so that no recovery takes them back. */
    public void journalled(long position) {
        state.journalled(position);
    }

    /** A change of names. */
    private interface NameChange {
        Outcome of(NamespaceOperations names) throws IOException;
    }

    private CompletableFuture<Outcome> names(long request, Permissions who, NameChange change, FilePath... paths) {
        return once(
                request, RequestSize.of(paths), transaction -> change.of(new NamespaceOperations(transaction, who)));
    }

    private CompletableFuture<Outcome> once(long request, RequestSize size, Mutation<Outcome> mutation) {
        return writer.submit(transaction -> {
            Optional<Outcome> known = transaction.requests().answer(request);
            if (known.isPresent()) {
                return known.get();
            }
            transaction.rows().effort().limit(size);
            Outcome outcome = mutation.apply(transaction);
            if (outcome == Outcome.DONE) {
                transaction.quotas().check();
                transaction.remember(request, outcome);
            }
            return outcome;
        });
    }

    private long now() {
        return clock.instant().toEpochMilli();
    }
}
