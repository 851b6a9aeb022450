// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import com.google.common.primitives.ImmutableIntArray;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.BdtUser;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.MountHomes;
import io.packing.bdt.NotedContent;
import io.packing.bdt.OneByOne;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.OwnNames;
import io.packing.bdt.Placement;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.Reclaim;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WantedContent;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A table without directories: paths to files. It outlives its sessions, as a master outlives workers. */
final class InMemoryBdt implements Bdt {
    private static final String GONE = "the master has started again";

    private final Map<FilePath, LocatedFile> files = new TreeMap<>();
    private final Map<String, List<Long>> forget = new TreeMap<>();
    private final Deque<WorkerInUseException> refusals = new ArrayDeque<>();
    /** The files that workers asked for, by request. */
    final List<List<Reclaim>> asked = Collections.synchronizedList(new ArrayList<>());

    private long ids;
    private long log;
    private boolean isLast;
    private long ended;

    /** Refuses the next registrations with these exceptions, one each. */
    synchronized void refuse(WorkerInUseException... next) {
        refusals.addAll(List.of(next));
    }

    /** Grants the next claim, loses the answer, and knows no session any more that it has by then. */
    synchronized void endWithNextClaim() {
        isLast = true;
    }

    @Override
    public synchronized Optional<FileStatus> stat(FilePath path) {
        return locate(path).map(LocatedFile::status);
    }

    @Override
    public String encryptionKey() {
        return "";
    }

    @Override
    public MountHomes homes(boolean again) {
        return MountHomes.NONE;
    }

    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Override
    public boolean withholdsPlaces() {
        return false;
    }

    @Override
    public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        return stat(path).map(there -> Map.of());
    }

    @Override
    public FileStatus nearest(FilePath path) throws IOException {
        return OneByOne.nearest(this, path);
    }

    @Override
    public OwnNames ownNames(FilePath clone, FilePath source, FilePath after, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ListedPage> listLocated(FilePath directory, String startAfter, int limit) throws IOException {
        return OneByOne.listLocated(this, directory, startAfter, limit);
    }

    @Override
    public List<FoundEntry> find(List<FilePath> paths) throws IOException {
        return OneByOne.find(this, paths);
    }

    @Override
    public Optional<Quota> quota(FilePath directory) {
        throw new UnsupportedOperationException("no quotas in these tests");
    }

    @Override
    public Outcome setQuota(FilePath directory, QuotaChange change) {
        throw new UnsupportedOperationException("no quotas in these tests");
    }

    @Override
    public ScanPage scan(ScanPart part, String after) {
        throw new UnsupportedOperationException("no rows in these tests");
    }

    @Override
    public void checkpoint() {}

    @Override
    public void sealNow() {}

    @Override
    public FileStatus nearestToCreate(FilePath path) throws IOException {
        return nearest(path);
    }

    /** This table knows no rights of users. */
    @Override
    public boolean access(FilePath path, int rights) throws IOException {
        throw new DeniedException("a table without users");
    }

    @Override
    public Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset)
            throws IOException {
        throw new DeniedException("a table without users");
    }

    @Override
    public Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) {
        return locate(version);
    }

    @Override
    public Optional<List<FoundEntry>> findForUser(List<FilePath> paths, BdtUser user) throws IOException {
        return Optional.of(find(paths));
    }

    @Override
    public Optional<LocatedFile> locateForUsers(FileVersion version) {
        return locate(version);
    }

    @Override
    public synchronized Optional<LocatedFile> locate(FilePath path) {
        return Optional.ofNullable(files.get(path));
    }

    @Override
    public synchronized Optional<LocatedFile> locate(FileVersion version) {
        return files.values().stream()
                .filter(file -> file.status().version().equals(version))
                .findFirst();
    }

    @Override
    public synchronized Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) {
        return Optional.of(files.values().stream()
                .map(LocatedFile::status)
                .filter(status -> status.path().parent().equals(Optional.of(directory)))
                .filter(status -> status.path().name().compareTo(startAfter) > 0)
                .limit(limit)
                .toList());
    }

    @Override
    public Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) {
        return Outcome.DONE;
    }

    @Override
    public synchronized Outcome delete(FilePath path, boolean recursive) {
        LocatedFile old = files.remove(path);
        if (old == null) {
            return Outcome.NOT_FOUND;
        }
        forget(old);
        return Outcome.DONE;
    }

    private void forget(LocatedFile old) {
        if (old.placement() instanceof Placement.Buffered buffered) {
            forget.computeIfAbsent(buffered.worker(), worker -> new ArrayList<>())
                    .add(old.status().version().id());
        }
    }

    @Override
    public synchronized Outcome rename(FilePath from, FilePath to) {
        LocatedFile file = files.remove(from);
        if (file == null) {
            return Outcome.NOT_FOUND;
        }
        put(to, file.status(), file.status().state(), file.placement());
        return Outcome.DONE;
    }

    private void put(FilePath path, FileStatus old, FileStatus.State state, Placement place) {
        files.put(path, new LocatedFile(new FileStatus(path, old.version(), old.attributes(), state), place));
    }

    @Override
    public Outcome setAttributes(FilePath path, AttributeChange change) {
        return Outcome.DONE;
    }

    @Override
    public VectorResult apply(OperationVector vector) {
        throw new UnsupportedOperationException("no vectors in these tests");
    }

    @Override
    public synchronized WorkerSession register(WorkerRegistration registration) throws WorkerInUseException {
        WorkerInUseException refusal = refusals.poll();
        if (refusal != null) {
            throw refusal;
        }
        return new Session(registration, ++log);
    }

    @Override
    public List<WorkerInfo> workers() {
        return List.of();
    }

    @Override
    public BdtStatistics statistics() {
        return new BdtStatistics(0, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public void close() {
        // The table stays, for the next session.
    }

    private final class Session implements WorkerSession {
        private final WorkerRegistration worker;
        private final long epoch;

        Session(WorkerRegistration worker, long epoch) {
            this.worker = worker;
            this.epoch = epoch;
        }

        @Override
        public long sessionEpoch() {
            return epoch;
        }

        @Override
        public long newestPosition() {
            return epoch;
        }

        @Override
        public void together(Runnable claims) {
            claims.run();
        }

        @Override
        public long newFileId() {
            synchronized (InMemoryBdt.this) {
                return ++ids;
            }
        }

        @Override
        public CompletableFuture<ClaimResult> claim(Claim claim) {
            synchronized (InMemoryBdt.this) {
                if (epoch <= ended) {
                    return CompletableFuture.failedFuture(new SessionExpiredException(GONE));
                }
                LocatedFile old = files.get(claim.path());
                if (old != null && !claim.overwrite()) {
                    return CompletableFuture.completedFuture(new ClaimResult.Refused(Outcome.EXISTS));
                }
                if (old != null) {
                    forget(old);
                }
                FileVersion version = new FileVersion(claim.fileId(), ++log);
                FileStatus status =
                        new FileStatus(claim.path(), version, claim.attributes(), FileStatus.State.BUFFERED);
                Placement place = new Placement.Buffered(worker.worker(), worker.address());
                files.put(claim.path(), new LocatedFile(status, place));
                if (isLast) {
                    isLast = false;
                    ended = epoch;
                    return CompletableFuture.failedFuture(new UnavailableException("the answer is lost"));
                }
                return CompletableFuture.completedFuture(new ClaimResult.Granted(version));
            }
        }

        @Override
        public List<Boolean> known(List<WantedContent> contents) {
            return contents.stream().map(each -> false).toList();
        }

        @Override
        public void note(List<NotedContent> contents) {}

        @Override
        public FingerprintPage fingerprints(long list, long after) {
            return new FingerprintPage(1, 0, false, false, ImmutableIntArray.of());
        }

        @Override
        public List<Optional<FileVersion>> reclaim(List<Reclaim> buffered) throws IOException {
            synchronized (InMemoryBdt.this) {
                checkKnown();
                if (!buffered.isEmpty()) {
                    asked.add(List.copyOf(buffered));
                }
                return buffered.stream()
                        .map(reclaim -> files.values().stream()
                                .filter(file -> file.placement() instanceof Placement.Buffered)
                                .map(file -> file.status().version())
                                .filter(version ->
                                        version.id() == reclaim.version().id())
                                .findFirst())
                        .toList();
            }
        }

        @Override
        public void reclaimed() {
            // This table loses no file.
        }

        @Override
        public HeartbeatReply heartbeat(Heartbeat heartbeat) throws IOException {
            synchronized (InMemoryBdt.this) {
                checkKnown();
                for (CommittedFile commit : heartbeat.files()) {
                    locate(commit.version())
                            .map(LocatedFile::status)
                            .ifPresent(old -> put(
                                    old.path(), old, FileStatus.State.PACKED, new Placement.Packed(commit.extents())));
                }
                List<Long> orders = forget.remove(worker.worker());
                return new HeartbeatReply(
                        Duration.ofSeconds(10), false, false, orders == null ? List.of() : orders, List.of());
            }
        }

        private void checkKnown() throws SessionExpiredException {
            if (epoch <= ended) {
                throw new SessionExpiredException(GONE);
            }
        }

        @Override
        public void close() {
            // Claims stay.
        }
    }
}
