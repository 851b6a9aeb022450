// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.master.BdtMaster;
import io.packing.it.rollback.RollbackJudge.Allowed;
import io.packing.it.rollback.RollbackWorld.Copied;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** A round: changes with copies of directories in between, a rollback, and a look at all paths. */
final class RollbackRound {
    private static final int MOST_CHANGES = 16;

    private final RollbackWorld world;
    private final RollbackCluster cluster;
    private final RollbackHistory history;
    private final Random random;

    RollbackRound(RollbackWorld world) {
        this.world = world;
        this.cluster = world.cluster;
        this.history = world.history;
        this.random = world.random;
    }

    /** Plays a round; returns whether others may follow on the mount. */
    boolean play(RollbackAct act) throws IOException {
        world.tell("ROUND " + act);
        for (int i = 0; i < 3; i++) {
            world.change(random.nextInt(MOST_CHANGES));
            between();
        }
        Allowed allowed = act(act);
        cluster.start();
        world.requests.settle(allowed);
        if (random.nextBoolean() && !allowed.isDamaged()) {
            world.flush();
        }
        FoundTree found = world.look(allowed);
        if (allowed.isDamaged() && cluster.inside().problem().isPresent()) {
            cluster.inside().accept();
            assertThat(cluster.inside().problem()).isEmpty();
        }
        if (act == RollbackAct.MASTER || act == RollbackAct.LOSE_MASTER || act == RollbackAct.MASTER_AND_WORKERS) {
            history.checkpointed();
            world.checkpoint();
        }
        world.deleteLost(found);
        return !allowed.isDamaged();
    }

    /** Copies, flushes, checkpoints or restarts, each now and then. */
    private void between() throws IOException {
        switch (random.nextInt(10)) {
            case 0 -> world.flush();
            case 1 -> world.checkpoint();
            case 2, 3, 4 -> {
                int worker = random.nextInt(RollbackCluster.WORKERS);
                boolean live = random.nextBoolean();
                if (!live) {
                    world.endWorker(worker, random.nextBoolean());
                }
                world.copyWorker(worker);
                cluster.start();
                world.requests.settle(Allowed.NOTHING);
            }
            case 5, 6, 7 -> {
                boolean live = random.nextBoolean();
                if (!live) {
                    world.endMaster(random.nextBoolean());
                }
                world.copyMaster();
                cluster.start();
                world.requests.settle(Allowed.NOTHING);
            }
            default -> {
                // The round goes on.
            }
        }
    }

    private Allowed act(RollbackAct act) throws IOException {
        switch (act) {
            case RESTART -> {
                world.endWorkers(random.nextBoolean());
                world.endMaster(random.nextBoolean());
                return Allowed.NOTHING;
            }
            case WORKER, WORKERS -> {
                int one = random.nextInt(RollbackCluster.WORKERS);
                Allowed allowed = Allowed.NOTHING;
                for (int i = 0; i < RollbackCluster.WORKERS; i++) {
                    if (i == one || act == RollbackAct.WORKERS) {
                        allowed = backWorker(i, allowed);
                    }
                }
                return allowed;
            }
            case MASTER -> {
                return backMaster(Allowed.NOTHING);
            }
            case MASTER_AND_WORKERS -> {
                Allowed allowed = Allowed.NOTHING;
                for (int i = 0; i < RollbackCluster.WORKERS; i++) {
                    allowed = backWorker(i, allowed);
                }
                return backMaster(allowed).forgetting();
            }
            case LOSE_MASTER -> {
                world.count();
                boolean kill = endMaster();
                loseMaster();
                return kill ? Allowed.NOTHING.undoing() : Allowed.NOTHING;
            }
            case EVERYTHING -> {
                return everything();
            }
            case STORE -> {
                return store();
            }
            case FOOTER, JOURNAL, BACKUP, BLOB -> {
                return damage(act);
            }
            case COPY_OF_LIVE_WORKER -> {
                return copyOfLiveWorker();
            }
            default -> {
                return copyOfLiveMaster();
            }
        }
    }

    private Allowed backWorker(int i, Allowed allowed) throws IOException {
        world.endWorker(i, random.nextBoolean());
        Optional<Copied> copy = Optional.ofNullable(world.workerCopies.get(i));
        if (copy.isEmpty()) {
            return allowed;
        }
        // A restored volume has the locked file itself; a copied directory has another one.
        boolean volume = random.nextBoolean();
        copy.get().tree().putBack(cluster.worker(i), volume ? RollbackCluster.WORKER_LOCK : "none");
        world.tell("w%d goes back to write %d, %s".formatted(i, copy.get().writes(), volume ? "volume" : "files"));
        return allowed.losing(Math.max(history.storedBefore(), copy.get().writes() + 1));
    }

    /** Ends the master, and sometimes the workers; returns whether it was killed. */
    private boolean endMaster() throws IOException {
        boolean kill = random.nextInt(3) > 0;
        if (random.nextBoolean()) {
            world.checkpoint();
        }
        if (random.nextBoolean()) {
            world.endWorkers(random.nextBoolean());
        }
        world.endMaster(kill);
        return kill;
    }

    private Allowed backMaster(Allowed allowed) throws IOException {
        boolean kill = endMaster();
        if (world.masterCopy.isEmpty()) {
            return allowed;
        }
        boolean volume = random.nextBoolean();
        world.masterCopy.get().tree().putBack(cluster.master(), volume ? RollbackCluster.MASTER_LOCK : "none");
        world.tell("the master goes back to write %d, %s"
                .formatted(world.masterCopy.get().writes(), volume ? "volume" : "files"));
        cluster.startMaster(!volume);
        return kill ? allowed.undoing() : allowed;
    }

    private void loseMaster() throws IOException {
        TreeCopy.delete(cluster.master());
        cluster.startMaster(true);
        world.tell("the master's directory is gone");
        world.tellStore();
    }

    private Allowed everything() throws IOException {
        boolean kill = random.nextBoolean();
        world.endWorkers(kill);
        world.endMaster(random.nextBoolean());
        TreeCopy store = world.copy(cluster.store());
        TreeCopy master = world.copy(cluster.master());
        List<TreeCopy> workers = List.of(world.copy(cluster.worker(0)), world.copy(cluster.worker(1)));
        TreeModel model = history.model().copy();
        int storedBefore = history.storedBefore();
        List<RequestsUnderWay.Request> unanswered = history.unanswered();
        cluster.start();
        world.requests.settle(Allowed.NOTHING);
        world.change(random.nextInt(MOST_CHANGES));
        if (random.nextBoolean()) {
            world.flush();
        }
        world.endWorkers(random.nextBoolean());
        world.endMaster(random.nextBoolean());
        store.putBack(cluster.store(), "none");
        master.putBack(cluster.master(), RollbackCluster.MASTER_LOCK);
        for (int i = 0; i < workers.size(); i++) {
            workers.get(i).putBack(cluster.worker(i), RollbackCluster.WORKER_LOCK);
        }
        history.goBack(model, storedBefore, unanswered);
        // The copies are of a future that is gone.
        world.workerCopies.clear();
        world.masterCopy = Optional.empty();
        world.tell("all goes back to one moment");
        return Allowed.NOTHING;
    }

    /** Makes the store older than the master for a while. */
    private Allowed store() throws IOException {
        TreeCopy older = world.copy(cluster.store());
        world.change(random.nextInt(MOST_CHANGES));
        world.flush();
        // No request is cut: what is written from now on goes to the older store, and with it.
        world.endWorkers(false);
        world.endMaster(false);
        TreeCopy newest = world.copy(cluster.store());
        older.putBack(cluster.store(), "none");
        world.tell("the store goes back");
        try {
            cluster.start();
            world.requests.settle(Allowed.NOTHING.breaking());
            FoundTree unused = world.lookOnly(Allowed.NOTHING.breaking());
            world.tell("the master takes the older store");
        } catch (IOException | RuntimeException e) {
            world.tell("the master refuses the older store: " + e);
        }
        world.endWorkers(false);
        world.endMaster(true);
        newest.putBack(cluster.store(), "none");
        loseMaster();
        return Allowed.NOTHING;
    }

    private Allowed damage(RollbackAct act) throws IOException {
        if (random.nextBoolean()) {
            world.flush();
        }
        boolean workersEnd = random.nextBoolean();
        if (workersEnd) {
            world.endWorkers(random.nextBoolean());
        }
        boolean kill = random.nextBoolean();
        if (kill) {
            world.killMasterAfterUpload();
        } else {
            world.endMaster(false);
        }
        Optional<Path> object = object(act, kill);
        if (object.isEmpty()) {
            return Allowed.NOTHING;
        }
        byte[] bytes = Files.readAllBytes(object.get());
        damage(object.get(), act, kill);
        if (act == RollbackAct.BLOB) {
            cluster.startMaster(false);
        } else {
            loseMaster();
        }
        cluster.start();
        Allowed damaged = act == RollbackAct.BLOB ? Allowed.NOTHING.breaking() : Allowed.NOTHING.unreading();
        world.requests.settle(damaged);
        if (random.nextBoolean() || act == RollbackAct.BLOB) {
            FoundTree unused = world.lookOnly(damaged);
            world.endWorkers(random.nextBoolean());
            world.endMaster(false);
            Path unusedPath = Files.write(object.get(), bytes);
            world.tell("the object is put back");
            loseMaster();
            return Allowed.NOTHING;
        }
        return damaged;
    }

    /** Returns an object of the kind that an act damages, often the newest one after a kill. */
    private Optional<Path> object(RollbackAct act, boolean newest) throws IOException {
        List<Path> all = switch (act) {
            case JOURNAL -> objects("bdt/journal-");
            case BACKUP -> objects("bdt/backup-");
            default -> objects("blobs/");
        };
        if (all.isEmpty()) {
            return Optional.empty();
        }
        int at = random.nextInt(all.size());
        return Optional.of(all.get(newest && random.nextBoolean() ? all.size() - 1 : at));
    }

    /** Returns the objects of the store whose keys begin so, by their keys. */
    private List<Path> objects(String begin) throws IOException {
        try (Stream<Path> files = Files.walk(cluster.store())) {
            return files.filter(Files::isRegularFile)
                    .filter(each ->
                            String.valueOf(cluster.store().relativize(each)).startsWith(begin))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Returns whether no other object of the store names an object: the newest journal, and a blob that backups may lack. A recovery does not see
     * that such an object is absent (docs/recover.md). So it is damaged, and not deleted.
     */
    private boolean isKnownByItselfOnly(Path object, RollbackAct act) throws IOException {
        if (act == RollbackAct.JOURNAL) {
            List<Path> journals = objects("bdt/journal-");
            return object.equals(journals.get(journals.size() - 1));
        }
        List<Path> backups = objects("bdt/backup-");
        return act == RollbackAct.FOOTER
                && (backups.size() < 2
                        || Files.getLastModifiedTime(object).compareTo(Files.getLastModifiedTime(backups.get(0))) >= 0);
    }

    /** Damages an object: flips a byte (of a footer near its end), cuts off the end, or deletes it. */
    private void damage(Path object, RollbackAct act, boolean kill) throws IOException {
        long length = Files.size(object);
        int kind = random.nextInt(kill && isKnownByItselfOnly(object, act) ? 2 : 3);
        world.tell("%s of %d bytes: %s"
                .formatted(
                        object, length, List.of("flipped", "cut off", "deleted").get(kind)));
        if (kind == 2 || length < 40) {
            Files.delete(object);
            return;
        }
        long at = act == RollbackAct.FOOTER ? length - 1 - random.nextInt(40) : (long) (random.nextDouble() * length);
        try (FileChannel channel = FileChannel.open(object, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (kind == 1) {
                channel.truncate(at);
                return;
            }
            ByteBuffer one = ByteBuffer.allocate(1);
            assertThat(channel.read(one, at)).isEqualTo(1);
            one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(8)));
            assertThat(channel.write(one.flip(), at)).isEqualTo(1);
        }
    }

    private Allowed copyOfLiveWorker() throws IOException {
        TreeCopy copy = world.copy(cluster.worker(0));
        world.change(random.nextInt(MOST_CHANGES));
        assertThatThrownBy(() -> cluster.tryWorker(0, copy.files())).isInstanceOf(WorkerInUseException.class);
        world.tell("a copy of w0 is refused");
        world.change(random.nextInt(MOST_CHANGES));
        return Allowed.NOTHING;
    }

    private Allowed copyOfLiveMaster() throws IOException {
        TreeCopy copy = world.copy(cluster.master());
        world.change(random.nextInt(MOST_CHANGES));
        try (BdtMaster other = cluster.serving(copy.files(), 0, false)) {
            assertThatThrownBy(() -> other.open(cluster.mount())).isInstanceOf(UnavailableException.class);
        }
        world.tell("a copy of the master is refused");
        world.change(random.nextInt(MOST_CHANGES));
        return Allowed.NOTHING;
    }
}
