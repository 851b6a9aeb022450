package io.packing.worker;

import com.google.common.hash.HashCode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Bdts;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileIds;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.cloud.DiskCheck;
import io.packing.bdt.master.cloud.LeaseTerms;
import io.packing.bdt.master.cloud.MountLease;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.cloud.Recovery;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.log.FileLog;
import io.packing.bdt.master.log.MountWriter;
import io.packing.bdt.master.log.MutationLog;
import io.packing.bdt.master.log.Replay;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Mutation;
import io.packing.bdt.master.table.SessionId;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.TableWriter;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.upkeep.Upkeep;
import io.packing.bdt.master.upkeep.UpkeepPart;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreConfig;
import io.packing.sorted.SortedStores;
import io.packing.store.ObjectStore;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A BDT master of one mount without threads, wired from the parts of a real one: whoever asks for a mutation writes it, and
 * whoever steps it renews its lease and does its upkeep. Confined to one thread.
 */
final class SteppedMaster implements Bdts {
    private static final String MOUNT = "stepped";

    private final MountWriter writer;
    private final Table table;
    private final Upkeep upkeep;
    private final MountLease lease;

    /** A new master of a store that had none. */
    SteppedMaster(Path folder, StoreAddress address, ObjectStore objects, Clocks clocks) throws IOException {
        SortedStore store = SortedStores.open(
                folder.resolve("table"),
                new SortedStoreConfig(SortedStoreConfig.Engine.LEVELDB, 1 << 20, 1 << 20, 1 << 20));
        Path scratch = Files.createDirectories(folder.resolve("scratch"));
        TakeOvers takeOvers = new TakeOvers("stepped-master", LeaseTerms.USUAL, () -> "a test", clocks);
        this.lease =
                takeOvers.hold(MOUNT, address, objects, new NoTable(folder)).lease();
        new Recovery(MOUNT, objects, store, scratch, clocks.wall()).run(lease.epoch());
        MutationLog log = FileLog.open(folder.resolve("log"), 1 << 20, false);
        Replay.run(store, log);
        TableState state = TableState.load(store, LeaseTerms.USUAL.workers(), clocks.nanos());
        this.writer =
                new MountWriter(MOUNT, store, log, state.transaction(), MountWriter.Listener.of(state), Runnable::run);
        this.table = new Table(state, new AtOnce(), clocks.wall());
        MountStorage storage = new MountStorage(MOUNT, table, objects, scratch);
        Uploader uploader = new Uploader(
                storage,
                new Uploader.Schedule(Duration.ofMinutes(2), 1, Duration.ofSeconds(20)),
                lease,
                DiskCheck.NONE,
                clocks.nanos());
        this.upkeep = new Upkeep(
                storage, uploader, Upkeep.Schedule.of(Duration.ofSeconds(30), Duration.ofMinutes(1), 0.5), clocks);
    }

    /** This disk has nothing of the mount yet. */
    private record NoTable(Path folder) implements TakeOvers.LocalTable {
        @Override
        public Optional<ReadyMount> ready() {
            return Optional.empty();
        }

        @Override
        public SortedStore open() throws IOException {
            throw new IOException("there is no table");
        }
    }

    /** Writes each mutation before anybody waits for it. */
    private final class AtOnce implements TableWriter {
        @Override
        public <T> CompletableFuture<T> submit(Mutation<T> mutation) {
            CompletableFuture<T> answer = writer.submit(mutation);
            try {
                while (writer.step(0)) {
                    // Each step writes a group.
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return answer;
        }
    }

    /** Renews the lease when that is due. */
    boolean renew() throws IOException {
        return lease.step();
    }

    /** Does a bounded piece of upkeep; returns whether there was any. */
    boolean keepUp() {
        return upkeep.step();
    }

    /** What fails at present. */
    List<UpkeepPart.Trouble> troubles() {
        return upkeep.troubles();
    }

    @Override
    public Bdt open(Map<String, String> options) {
        return new Direct();
    }

    @Override
    public void close() {
        upkeep.close();
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The table, asked directly. */
    private final class Direct implements Bdt {
        @Override
        public Optional<FileStatus> stat(FilePath path) throws IOException {
            return table.stat(path);
        }

        @Override
        public Optional<LocatedFile> locate(FilePath path) throws IOException {
            return table.locate(path);
        }

        @Override
        public Optional<LocatedFile> locate(FileVersion version) throws IOException {
            return table.locate(version);
        }

        @Override
        public Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException {
            return table.list(directory, startAfter, limit);
        }

        @Override
        public Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) throws IOException {
            return Waiting.on(table.mkdir(0, path, attributes, createParents));
        }

        @Override
        public Outcome delete(FilePath path, boolean recursive) throws IOException {
            return Waiting.on(table.delete(0, path, recursive));
        }

        @Override
        public Outcome rename(FilePath from, FilePath to) throws IOException {
            return Waiting.on(table.rename(0, from, to));
        }

        @Override
        public Outcome setAttributes(FilePath path, AttributeChange change) throws IOException {
            return Waiting.on(table.setAttributes(0, path, change));
        }

        @Override
        public VectorResult apply(OperationVector vector) throws IOException {
            return Waiting.on(table.apply(0, vector));
        }

        @Override
        public WorkerSession register(WorkerRegistration registration) throws IOException {
            return new Session(Waiting.on(table.register(registration)));
        }

        @Override
        public List<WorkerInfo> workers() {
            return table.workers();
        }

        @Override
        public BdtStatistics statistics() {
            return table.statistics();
        }

        @Override
        public void close() {
            // The table is the master's.
        }
    }

    private final class Session implements WorkerSession {
        private final SessionId id;
        private final FileIds ids;

        Session(SessionId id) {
            this.id = id;
            this.ids = new FileIds(count -> Waiting.on(table.leaseIds(id, count)));
        }

        @Override
        public long epoch() {
            return id.epoch();
        }

        @Override
        public long newFileId() throws IOException {
            return ids.next();
        }

        @Override
        public CompletableFuture<ClaimResult> claim(Claim claim) {
            return table.claim(id, List.of(claim)).thenApply(results -> results.get(0));
        }

        @Override
        public List<Boolean> known(List<HashCode> contents) throws IOException {
            return table.known(id, contents);
        }

        @Override
        public List<Optional<FileVersion>> reclaim(List<Reclaim> buffered) throws IOException {
            return Waiting.on(table.reclaim(id, buffered));
        }

        @Override
        public void reclaimed() throws IOException {
            if (!Waiting.on(table.reclaimed(id))) {
                throw new IOException("the end of the reclaim was not written");
            }
        }

        @Override
        public HeartbeatReply heartbeat(Heartbeat heartbeat) throws IOException {
            return Waiting.on(table.heartbeat(id, heartbeat));
        }

        @Override
        public void close() {
            // What is claimed stays claimed.
        }
    }
}
