// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A mount with its processes, copies of their directories, and the record of acknowledged changes. */
final class RollbackWorld implements AutoCloseable {
    /** The looks of a comparison: a worker that has just started or ended may not be known as that to the master yet. */
    private static final int LOOKS = 40;

    private static final long PAUSE_MILLIS = 100;
    final Random random;
    final Path home;
    final RollbackCluster cluster;
    final RollbackHistory history = new RollbackHistory();
    final List<String> story = new ArrayList<>();
    /** The copies of workers' directories, by the number of the worker. */
    final Map<Integer, Copied> workerCopies = new HashMap<>();

    Optional<Copied> masterCopy = Optional.empty();
    /** The counts before a recovery of the table, until they are compared. */
    private Optional<String> counted = Optional.empty();

    final CutRequests requests;

    private final RandomChanges changes;
    private int copies;

    /** A copy, with the number of the clients' writes before it. */
    record Copied(TreeCopy tree, int writes) {}

    RollbackWorld(Path home, long seed) throws IOException {
        this.random = new Random(seed);
        this.home = home;
        Map<String, String> options = options();
        String engine = one("leveldb", "rocksdb");
        story.add("%s, master %s".formatted(options, engine));
        this.cluster = new RollbackCluster(home, options, engine);
        this.changes = new RandomChanges(random, history);
        this.requests = new CutRequests(cluster, history, changes, random, this::tell);
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

    String lastOfStory() {
        return story.get(story.size() - 1);
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
        cluster.awaitWorkers();
        cluster.files().flush();
        history.flushed();
        tell("flush");
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

    /** Ends a worker. A kill leaves its directory as it was at that moment, and cuts requests. */
    void endWorker(int i, boolean kill) throws IOException {
        if (!cluster.hasWorker(i)) {
            return;
        }
        if (!kill) {
            cluster.stopWorker(i);
            tell("stop w%d".formatted(i));
            return;
        }
        Optional<CutRequests.Sent> sent = requests.send();
        cluster.cutWorker(i);
        sent.ifPresent(CutRequests.Sent::cut);
        TreeCopy as = copy(cluster.worker(i));
        cluster.stopWorker(i);
        as.putBack(cluster.worker(i), RollbackCluster.WORKER_LOCK);
        tell("kill w%d".formatted(i));
        end(sent);
    }

    private void end(Optional<CutRequests.Sent> sent) throws IOException {
        if (sent.isPresent()) {
            sent.get().end();
            counted = Optional.empty();
        }
    }

    void endWorkers(boolean kill) throws IOException {
        for (int i = 0; i < RollbackCluster.WORKERS; i++) {
            endWorker(i, kill);
        }
    }

    /** Ends the master; a stop leaves all changes in the store. */
    void endMaster(boolean kill) throws IOException {
        if (kill) {
            Optional<CutRequests.Sent> sent = requests.send();
            cluster.killMaster();
            tell("kill the master");
            end(sent);
        } else {
            cluster.stopMaster();
            history.checkpointed();
            tell("stop the master");
        }
        tellStore();
    }

    /** Kills the master when the store has its journal: no change is the tail that only the master's directory has. */
    void killMasterAfterUpload() throws IOException {
        cluster.inside().uploadJournals();
        history.checkpointed();
        cluster.killMaster();
        tell("upload the journal and kill the master");
        tellStore();
    }

    /** Records the names of the master's objects in the store. */
    void tellStore() {
        String[] names = cluster.store().resolve("bdt").toFile().list();
        tell("  the store has " + (names == null ? "nothing" : String.join(" ", new TreeSet<>(List.of(names)))));
    }

    /** Compares until all differences are allowed, or the looks are used up; accepts the tree. */
    FoundTree look(Allowed allowed) throws IOException {
        FoundTree found = lookOnly(allowed);
        history.adopt(found);
        counted = Optional.empty();
        return found;
    }

    /** Compares as {@link #look}, without accepting the tree. */
    FoundTree lookOnly(Allowed allowed) throws IOException {
        cluster.awaitSettled();
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
                            || allowed.isDamaged()
                            || (allowed.tail() && history.isTouched(each.path()));
                case ORPHAN, NEWER -> true;
                case UNREAD, OLDER -> allowed.unread();
                case MISSING, SHORT, CHECKSUM, FOOTER, LENGTH, GAPS -> allowed.isDamaged();
                default -> false;
            };
            if (!may) {
                unsound.add("fsck: " + each);
            }
        }
        return unsound;
    }

    /** Takes the current counts; a recovery from the store must come to equal ones. */
    void count() throws IOException {
        String before;
        String now = cluster.counts();
        // Upkeep subtracts the content of deleted trees.
        do {
            before = now;
            for (int i = 0; i < 3; i++) {
                pause();
            }
            now = cluster.counts();
        } while (!now.equals(before));
        counted = Optional.of(now);
        tell("counts: " + counted);
    }

    private List<String> recount(int differences) throws IOException {
        String now = cluster.counts();
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

    /** Deletes names of lost files, as an operator does after a look at them. */
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
