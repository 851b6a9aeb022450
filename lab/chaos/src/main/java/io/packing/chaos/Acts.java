// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientRequest;
import io.packing.chaos.client.ClientRequest.Action;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.ClientThread;
import io.packing.chaos.cluster.RoundCluster;
import io.packing.chaos.model.Model;
import io.packing.chaos.model.ModelOperation;
import io.packing.chaos.model.Version;
import io.packing.s3server.Faults;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Performs an {@link Act} on the processes of a round, and reports its losses to the model. All processes run again
 * after an act. Confined to one thread.
 */
final class Acts {
    private static final int TRIES = 400;
    private static final long PAUSE_MILLIS = 150;
    private static final int LONGEST_DOWN_MILLIS = 600;
    private static final int LONGEST_MOOD_MILLIS = 800;
    private static final int LONGEST_OUTAGE_MILLIS = 1_500;

    private final Stage stage;
    private final SplittableRandom random;
    private final ClientThread caller;

    Acts(Stage stage, SplittableRandom random) {
        this.stage = stage;
        this.random = random;
        this.caller = new ClientThread(stage.cluster().clients().get(0), stage.journal()::note);
    }

    private RoundCluster cluster() {
        return stage.cluster();
    }

    private Model model() {
        return stage.model();
    }

    void perform(Act act, RoundLoad load) throws IOException, InterruptedException {
        load.awaitShare(random.nextDouble(0.2, 0.6));
        stage.journal().note("ACT " + act);
        stage.counts().add("act." + act);
        switch (act) {
            case CALM, COLLECT, COMPACT, STORE_ALONE -> {}
            case KILL_WORKER -> {
                mood(random.nextBoolean() ? PreferredOperation.PASSING : PreferredOperation.ANY);
                killWorkers(false);
            }
            case LOSE_WORKER -> killWorkers(true);
            case STOP_WORKER -> stopWorker();
            case KILL_MASTER -> killMaster();
            case STOP_MASTER -> stopMaster();
            case RECOVER -> recover(true);
            case RECOVER_WITHOUT_CHECKPOINT -> recover(false);
            case RECOVER_THEN_KILL_WORKER -> {
                recover(!stage.plan().mayLoseTail() || random.nextBoolean());
                load.awaitShare(0.5);
                mood(PreferredOperation.PASSING);
                killWorkers(false);
            }
            case OLDER_WORKER -> olderWorker(load);
            case OLDER_MASTER -> olderMaster(load);
            case KILL_CLIENT -> killClient();
            case KILL_ALL -> killAll();
            case STORE_FAULTS -> storeFaults();
            case OUTAGE -> {
                outage();
                Stage.pause(random.nextInt(LONGEST_OUTAGE_MILLIS));
                heal();
            }
            case OUTAGE_LOSE_WORKER -> {
                // The mood comes before the outage: during it, each lane waits in its first create.
                mood(random.nextInt(3) > 0 ? PreferredOperation.OVERWRITING : PreferredOperation.ANY);
                outage();
                Stage.pause(random.nextInt(LONGEST_OUTAGE_MILLIS / 3, LONGEST_OUTAGE_MILLIS));
                int worker = random.nextInt(cluster().workers());
                cluster().killWorker(worker);
                drop(worker);
                heal();
                cluster().startWorkers(List.of(worker));
            }
            case OUTAGE_KILL_MASTER -> {
                outage();
                Stage.pause(random.nextInt(LONGEST_OUTAGE_MILLIS));
                stage.counts().add("kills.master");
                cluster().killMaster();
                heal();
                cluster().startMaster();
            }
        }
        stage.mood().set(PreferredOperation.ANY);
        stage.journal().note("END OF ACT " + act);
    }

    /** Makes the lanes do one kind of operation for a moment. */
    private void mood(PreferredOperation mood) throws InterruptedException {
        stage.mood().set(mood);
        Stage.pause(mood == PreferredOperation.ANY ? 0 : random.nextInt(LONGEST_MOOD_MILLIS / 2, LONGEST_MOOD_MILLIS));
    }

    private void down() throws InterruptedException {
        Stage.pause(random.nextInt(LONGEST_DOWN_MILLIS));
    }

    private void killWorkers(boolean lose) throws IOException, InterruptedException {
        List<Integer> killed = new ArrayList<>(List.of(random.nextInt(cluster().workers())));
        if (cluster().workers() > 1 && random.nextInt(4) == 0) {
            killed.add(1 - killed.get(0));
        }
        for (int worker : killed) {
            stage.counts().add("kills.worker");
            cluster().killWorker(worker);
            if (lose) {
                drop(worker);
            }
        }
        stage.mood().set(PreferredOperation.ANY);
        down();
        cluster().startWorkers(killed);
    }

    private void drop(int worker) throws IOException {
        stage.journal().note("the directory of worker %d is gone".formatted(worker));
        stage.counts().add("lost_directories.worker");
        model().bufferLost();
        cluster().dropWorker(worker);
    }

    private void stopWorker() throws IOException, InterruptedException {
        int worker = random.nextInt(cluster().workers());
        stage.counts().add("stops.worker");
        cluster().stopWorker(worker);
        down();
        cluster().startWorkers(List.of(worker));
    }

    /** Copies a worker's directory, and puts the copy back while the load goes on. */
    private void olderWorker(RoundLoad load) throws IOException, InterruptedException {
        int worker = random.nextInt(cluster().workers());
        stage.counts().add("kills.worker");
        cluster().killWorker(worker);
        cluster().copyWorker(worker);
        cluster().startWorkers(List.of(worker));
        load.awaitShare(0.8);
        stage.counts().add("kills.worker");
        cluster().killWorker(worker);
        stage.journal().note("the directory of worker %d goes back".formatted(worker));
        stage.counts().add("older_directories.worker");
        model().bufferLost();
        cluster().putWorkerBack(worker);
        down();
        cluster().startWorkers(List.of(worker));
    }

    /**
     * Copies the master's directory, and puts the copy back after a checkpoint. Clients wait, as in {@link #recover}.
     */
    private void olderMaster(RoundLoad load) throws IOException, InterruptedException {
        stage.counts().add("kills.master");
        cluster().killMaster();
        cluster().copyMaster();
        cluster().startMaster();
        load.awaitShare(0.8);
        stage.inPeace(() -> {
            checkpoint();
            stage.counts().add("kills.master");
            cluster().killMaster();
            stage.journal().note("the directory of the master goes back");
            stage.counts().add("older_directories.master");
            model().tableLost();
            cluster().putMasterBack();
            cluster().startMaster();
            reclaimed();
        });
    }

    private void killMaster() throws IOException, InterruptedException {
        stage.counts().add("kills.master");
        cluster().killMaster();
        down();
        cluster().startMaster();
    }

    private void stopMaster() throws IOException, InterruptedException {
        stage.counts().add("stops.master");
        cluster().stopMaster();
        down();
        cluster().startMaster();
    }

    private void killClient() throws IOException, InterruptedException {
        int client = random.nextInt(cluster().clients().size());
        stage.counts().add("kills.client");
        cluster().clients().get(client).kill();
        down();
        cluster().clients().get(client).restart();
    }

    private void killAll() throws IOException, InterruptedException {
        List<Integer> workers = new ArrayList<>();
        stage.counts().add("kills.master");
        cluster().killMaster();
        for (int i = 0; i < cluster().workers(); i++) {
            stage.counts().add("kills.worker");
            cluster().killWorker(i);
            workers.add(i);
        }
        int client = random.nextInt(cluster().clients().size());
        stage.counts().add("kills.client");
        cluster().clients().get(client).kill();
        down();
        cluster().startMaster();
        cluster().startWorkers(workers);
        cluster().clients().get(client).restart();
    }

    private void storeFaults() throws IOException, InterruptedException {
        double each = random.nextDouble(0.02, 0.12);
        cluster()
                .store()
                .inject(new Faults(
                        each, each / 4, each, each, 2 * each, each / 2, Duration.ofMillis(200), random.nextLong()));
        Stage.pause(random.nextInt(LONGEST_OUTAGE_MILLIS, 2 * LONGEST_OUTAGE_MILLIS));
        heal();
    }

    private void outage() throws IOException, InterruptedException {
        stage.counts().add("outages");
        Faults all = random.nextBoolean()
                ? new Faults(1, 0, 0, 0, 0, 0, Duration.ZERO, 0)
                : new Faults(0.2, 0, 0.6, 0, 0, 0.2, Duration.ofMillis(300), random.nextLong());
        cluster().store().inject(all);
    }

    private void heal() throws IOException, InterruptedException {
        cluster().store().inject(Faults.NONE);
    }

    /**
     * Replaces the master by one that has only the store. Clients wait: the new table lacks acknowledged files until
     * the workers have reported their buffered files.
     */
    private void recover(boolean checkpoint) throws IOException, InterruptedException {
        stage.inPeace(() -> {
            if (checkpoint) {
                checkpoint();
            }
            cluster().killMaster();
            model().tableLost();
            stage.counts().add("lost_directories.master");
            startMasterFromStore();
            reclaimed();
        });
    }

    private void startMasterFromStore() throws IOException, InterruptedException {
        boolean takeOver = random.nextBoolean();
        stage.counts().add("recoveries");
        stage.counts().add(takeOver ? "take_overs" : "waits_for_leases");
        cluster().startMasterFromStore(takeOver);
    }

    /** Waits until a new master knows all files that workers buffer. */
    private void reclaimed() throws IOException, InterruptedException {
        awaitWorkers();
        if (random.nextBoolean()) {
            flush();
        } else {
            new Checker(stage).awaitBuffered();
        }
    }

    void awaitWorkers() throws IOException, InterruptedException {
        ClientReply reply = ClientReply.unknown("");
        for (int i = 0; i < TRIES; i++) {
            reply = caller.ask(ClientRequest.simple(Action.WORKERS, DoorKind.WORKER, "/", false));
            if (reply.isDone() && reply.count() == cluster().workers()) {
                return;
            }
            Stage.pause(PAUSE_MILLIS);
        }
        throw new IOException("the master knows %d of %d workers, %s %s"
                .formatted(reply.count(), cluster().workers(), reply.outcome(), reply.text()));
    }

    /** Stores all acknowledged files. The caller holds the peace, and all workers run. */
    void flush() throws IOException, InterruptedException {
        awaitWorkers();
        List<Version> versions = model().acknowledged();
        repeat(Action.FLUSH);
        model().flushed(versions);
        stage.counts().add("flushes");
    }

    /** Stores all acknowledged changes of the namespace. */
    void checkpoint() throws IOException, InterruptedException {
        List<ModelOperation> covered = model().beforeCheckpoint();
        repeat(Action.CHECKPOINT);
        model().checkpointed(covered);
        stage.counts().add("checkpoints");
    }

    private void repeat(Action action) throws IOException, InterruptedException {
        ClientReply reply = ClientReply.unknown("");
        for (int i = 0; i < TRIES; i++) {
            reply = caller.ask(ClientRequest.simple(action, DoorKind.WORKER, "/", false));
            if (reply.isDone()) {
                return;
            }
            Stage.pause(PAUSE_MILLIS);
        }
        throw new IOException("%s is never done: %s".formatted(action, reply.text()));
    }

    /** Deletes all directories, and starts master and workers on the store alone. */
    void storeAlone() throws IOException, InterruptedException {
        flush();
        checkpoint();
        cluster().killMaster();
        List<Integer> workers = new ArrayList<>();
        for (int i = 0; i < cluster().workers(); i++) {
            cluster().killWorker(i);
            drop(i);
            workers.add(i);
        }
        model().tableLost();
        stage.counts().add("lost_directories.master");
        startMasterFromStore();
        cluster().startWorkers(workers);
        awaitWorkers();
    }

    void close() throws IOException {
        caller.close();
    }
}
