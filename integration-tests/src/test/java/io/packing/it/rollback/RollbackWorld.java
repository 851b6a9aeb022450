package io.packing.it.rollback;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.it.rollback.RollbackJudge.Allowed;
import io.packing.operations.fsck.Damage;
import io.packing.operations.fsck.DamageLog;
import io.packing.operations.fsck.Fsck;
import io.packing.operations.fsck.FsckOptions;
import io.packing.operations.fsck.FsckResult;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One mount with its processes, copies of their directories, and the record of acknowledged changes. */
final class RollbackWorld implements AutoCloseable {
    /** Workers beat once a second: by then each has told a new master what it buffers. */
    private static final int LOOKS = 40;

    private static final long PAUSE_MILLIS = 100;

    final Random random;
    final Path home;
    final RollbackCluster cluster;
    final RollbackHistory history = new RollbackHistory();
    final List<String> story = new ArrayList<>();
    /** Copies of workers' directories, by the number of the worker. */
    final Map<Integer, Copied> workerCopies = new HashMap<>();

    Optional<Copied> masterCopy = Optional.empty();
    /** Before a recovery of the table, until it was compared. */
    private Optional<String> counted = Optional.empty();

    private final RandomChanges changes;
    private int copies;

    /** A copy, and how many writes clients had made. */
    record Copied(TreeCopy tree, int writes) {}

    RollbackWorld(Path home, long seed) throws IOException {
        this.random = new Random(seed);
        this.home = home;
        Map<String, String> options = options();
        String engine = one("leveldb", "rocksdb");
        story.add("%s, master %s".formatted(options, engine));
        this.cluster = new RollbackCluster(home, options, engine);
        this.changes = new RandomChanges(random, history);
        cluster.start();
    }

    private String one(String... values) {
        return values[random.nextInt(values.length)];
    }

    private Map<String, String> options() {
        Map<String, String> options = new HashMap<>();
        options.put("packing.durability", one("buffered", "synced", "synced"));
        options.put("packing.policy", one("fifo", "directory", "size"));
        options.put("packing.buffer.engine", one("leveldb", "rocksdb"));
        options.put("packing.buffer.values", one("segment", "store"));
        options.put("packing.compression", one("none", "deflate", "zstd"));
        options.put("packing.blob.max.bytes", one("64KB", "1MB"));
        options.put("packing.seal.after", one("50ms", "1h", "1h"));
        options.put("packing.seal.quiet", "0s");
        options.put("packing.seal.idle.bytes", "0");
        options.put("packing.spill.bytes", "64KB");
        options.put("packing.threads", "2");
        options.put("packing.journal.interval", one("50ms", "1h"));
        options.put("packing.backup.interval", one("200ms", "10m"));
        options.put("packing.backup.min.changes", one("20", "500000"));
        options.put("packing.gc.interval", one("200ms", "1h"));
        options.put("packing.gc.grace", "200ms");
        options.put("packing.gc.compact.below", one("0", "0.9"));
        options.put("packing.read.cache.bytes", "8MB");
        return options;
    }

    void tell(String what) {
        story.add(what);
    }

    void change(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            String what = changes.change(cluster.files());
            if (!what.equals("nothing")) {
                tell(what);
            }
            history.changed();
        }
    }

    void flush() throws IOException {
        awaitWorkers();
        cluster.files().flush();
        history.flushed();
        tell("flush");
    }

    /** Waits until the master has heard of all workers. */
    void awaitWorkers() throws IOException {
        for (int i = 0; i < LOOKS && cluster.bdt().workers().size() < RollbackCluster.WORKERS; i++) {
            pause();
        }
    }

    void checkpoint() throws IOException {
        cluster.bdt().checkpoint();
        history.checkpointed();
        tell("checkpoint");
    }

    TreeCopy copy(Path directory) throws IOException {
        try {
            return TreeCopy.of(directory, home.resolve("copy-" + copies++));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void copyWorker(int i) throws IOException {
        workerCopies.put(i, new Copied(copy(cluster.worker(i)), history.writes()));
        tell("copy of w%d, %s".formatted(i, cluster.hasWorker(i) ? "live" : "stopped"));
    }

    void copyMaster() throws IOException {
        masterCopy = Optional.of(new Copied(copy(cluster.master()), history.writes()));
        tell("copy of the master, %s".formatted(cluster.hasMaster() ? "live" : "stopped"));
    }

    /** Ends a worker, as a kill does: its directory stays as it was at that moment. */
    void endWorker(int i, boolean kill) throws IOException {
        if (!cluster.hasWorker(i)) {
            return;
        }
        Optional<TreeCopy> as = kill ? Optional.of(copy(cluster.worker(i))) : Optional.empty();
        cluster.stopWorker(i);
        if (as.isPresent()) {
            as.get().putBack(cluster.worker(i), RollbackCluster.WORKER_LOCK);
        }
        tell("%s w%d".formatted(kill ? "kill" : "stop", i));
    }

    void endWorkers(boolean kill) throws IOException {
        for (int i = 0; i < RollbackCluster.WORKERS; i++) {
            endWorker(i, kill);
        }
    }

    /** Ends the master; a stop leaves everything in the store. */
    void endMaster(boolean kill) {
        if (kill) {
            cluster.killMaster();
        } else {
            cluster.stopMaster();
            history.checkpointed();
        }
        tell(kill ? "kill the master" : "stop the master");
        tellStore();
    }

    /** Notes which objects of the master the store has. */
    void tellStore() {
        String[] names = cluster.store().resolve("bdt").toFile().list();
        tell("  the store has " + (names == null ? "nothing" : String.join(" ", new TreeSet<>(List.of(names)))));
    }

    /** Compares until all is as it may be, or never is. */
    FoundTree look(Allowed allowed) throws IOException {
        FoundTree found = lookOnly(allowed);
        history.adopt(found);
        counted = Optional.empty();
        return found;
    }

    /** Compares as {@link #look}, and takes nothing of what is there for right. */
    FoundTree lookOnly(Allowed allowed) throws IOException {
        cluster.dropClient();
        List<String> finds = List.of();
        for (int i = 0; i < LOOKS; i++) {
            Optional<String> problem = cluster.inside().problem();
            FoundTree found = FoundTree.of(cluster.files());
            List<Damage> damage = fsck();
            RollbackJudge judge = new RollbackJudge(history, allowed, found, damage, problem);
            finds = judge.finds();
            finds.addAll(unsound(damage, allowed));
            finds.addAll(recount(judge.differences()));
            if (finds.isEmpty()) {
                tell("looked: %d paths, %d differ, fsck %s, %s"
                        .formatted(found.entries().size(), judge.differences(), damage, problem));
                return found;
            }
            if (finds.stream().anyMatch(each -> each.contains("WRONG"))) {
                break;
            }
            pause();
        }
        throw new AssertionError(String.join("\n", finds));
    }

    static void pause() {
        try {
            assertThat(new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS))
                    .isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns findings of fsck that the rollback does not explain. */
    private List<String> unsound(List<Damage> damage, Allowed allowed) {
        List<String> unsound = new ArrayList<>();
        for (Damage each : damage) {
            boolean may = switch (each.kind()) {
                case LOST ->
                    allowed.lostFrom() < Integer.MAX_VALUE
                            || allowed.damaged()
                            || (allowed.tail() && history.isTouched(each.path()));
                case ORPHAN, NEWER -> true;
                case UNREAD, OLDER, MISSING, SHORT, CHECKSUM, FOOTER, LENGTH, GAPS -> allowed.damaged();
                default -> false;
            };
            if (!may) {
                unsound.add("fsck: " + each);
            }
        }
        return unsound;
    }

    /** Takes counts of now; a recovery from the store has to come to the same. */
    void count() throws IOException {
        String before;
        String now = counts();
        // Upkeep takes off what was in deleted trees.
        do {
            before = now;
            for (int i = 0; i < 3; i++) {
                pause();
            }
            now = counts();
        } while (!now.equals(before));
        counted = Optional.of(now);
        tell("counts: " + counted);
    }

    private String counts() throws IOException {
        BdtStatistics statistics = cluster.bdt().statistics();
        return "%d files, %d directories".formatted(statistics.files(), statistics.directories());
    }

    private List<String> recount(int differences) throws IOException {
        String now = counts();
        return counted.isEmpty() || counted.get().equals(now) || differences > 0
                ? List.of()
                : List.of("the mount counts %s after a recovery, and counted %s".formatted(now, counted));
    }

    List<Damage> fsck() throws IOException {
        Path scratch = Files.createTempDirectory(home, "fsck");
        MountOptions options = MountOptions.from(cluster.mount());
        List<Damage> damage = new ArrayList<>();
        try (ObjectStore store = ObjectStores.open(options.store());
                DamageLog log = new DamageLog(scratch)) {
            FsckResult unused = new Fsck(cluster.bdt(), store, scratch, new FsckOptions(1, 1), log).run(files -> {});
            log.forEach(damage::add);
        } finally {
            TreeCopy.delete(scratch);
        }
        return damage;
    }

    /** Deletes names of files without bytes, as the operator does who has looked at them. */
    void deleteLost(FoundTree found) throws IOException {
        boolean any = false;
        for (FoundTree.Entry each : found.entries().values()) {
            if (each.isLost() && !each.status().path().isPast()) {
                assertThat(cluster.bdt().delete(each.status().path(), false)).isEqualTo(Outcome.DONE);
                history.touched(each.status().path().value());
                any = true;
            }
        }
        for (FoundTree.Entry each : found.entries().values()) {
            if (each.isLost() && each.status().path().isPast()) {
                String path = each.status().path().value();
                int at = path.indexOf("/.snapshot/");
                int end = path.indexOf('/', at + "/.snapshot/".length());
                history.touched(path.substring(0, end));
                dropSnapshot(at == 0 ? "/" : path.substring(0, at), path.substring(at + "/.snapshot/".length(), end));
                any = true;
            }
        }
        if (any) {
            tell("delete what is lost");
            history.adopt(FoundTree.of(cluster.files()));
        }
    }

    private void dropSnapshot(String directory, String name) throws IOException {
        Object unused =
                cluster.bdt().apply(OperationVector.of(new Operation.DropSnapshot(new FilePath(directory), name)));
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
