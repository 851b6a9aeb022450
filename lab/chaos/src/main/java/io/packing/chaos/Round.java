// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.cluster.RoundCluster;
import io.packing.chaos.cluster.SharedProcesses;
import io.packing.chaos.model.Model;
import io.packing.chaos.model.Violation;
import io.packing.chaos.run.Counts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;

/** A round: a mount of its own, clients at work, acts, and a look at all files after each act. */
final class Round {
    private static final int READERS = 2;

    private final Plan plan;
    private final Stage stage;
    private final Acts acts;
    private final Checker checker;
    private final Bulk bulk;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<ReaderThread> readers = new ArrayList<>();
    private final Race race;
    private final SplittableRandom random;

    private Round(Plan plan, Stage stage) {
        this.plan = plan;
        this.stage = stage;
        this.random = new SplittableRandom(plan.seed() ^ 0x5eed);
        this.acts = new Acts(stage, random.split());
        this.checker = new Checker(stage);
        for (int i = 0; i < plan.lanes(); i++) {
            lanes.add(new Lane(i, stage, random.split()));
        }
        for (int i = 0; i < READERS; i++) {
            readers.add(new ReaderThread(i, stage, random.split()));
        }
        this.race = new Race(stage, random.split());
        this.bulk = new Bulk(stage, random.split());
    }

    /** Plays a round, and returns its violations. */
    static List<Violation> run(SharedProcesses bench, String name, Plan plan, RoundLog journal, Counts counts)
            throws IOException, InterruptedException {
        journal.note("seed %d: %s".formatted(plan.seed(), plan));
        Counts own = new Counts();
        try (RoundCluster cluster = bench.round(name, plan.site())) {
            Model model = new Model(plan.isUploaded(), plan.mayLoseTail());
            new Round(plan, new Stage(plan, cluster, model, journal, own)).play();
            own.add("compactions", cluster.compactions());
            own.add("collections", cluster.collections());
        } finally {
            own.add("rounds");
            own.add("durability." + plan.durability());
            own.add("policy." + plan.site().mount().get("packing.policy"));
            own.add("engine." + plan.site().mount().get("packing.buffer.engine"));
            own.add("values." + plan.site().mount().get("packing.buffer.values"));
            counts.addAll(own);
        }
        return journal.violations();
    }

    private void play() throws IOException, InterruptedException {
        ExecutorService threads = RoundLoad.threads();
        try {
            for (Act act : plan.acts()) {
                play(act, threads);
                // The first violation ends the round: its consequences would only hide it.
                if (!stage.journal().violations().isEmpty()) {
                    return;
                }
            }
        } finally {
            threads.shutdownNow();
            for (Lane lane : lanes) {
                lane.close();
            }
            for (ReaderThread reader : readers) {
                reader.close();
            }
            race.close();
            acts.close();
        }
    }

    private void play(Act act, ExecutorService threads) throws IOException, InterruptedException {
        List<RoundLoad.Step> others = new ArrayList<>();
        readers.forEach(reader -> others.add(reader::step));
        others.add(race::step);
        RoundLoad load = RoundLoad.start(threads, lanes, plan.operations(), others);
        acts.perform(act, load);
        load.await();
        stage.inPeace(() -> {
            acts.awaitWorkers();
            if (act == Act.COLLECT || act == Act.COMPACT) {
                acts.flush();
            }
            if (act == Act.COMPACT) {
                bulk.write();
                acts.flush();
                bulk.deleteMost();
                bulk.awaitCompaction();
            }
            if (act == Act.COLLECT) {
                for (Lane lane : lanes) {
                    lane.deleteMost(10);
                }
            }
            if (act == Act.STORE_ALONE) {
                acts.storeAlone();
            }
            boolean last = act == plan.acts().get(plan.acts().size() - 1);
            checker.look();
            if (last || random.nextBoolean()) {
                acts.flush();
                checker.settle();
            }
            if (random.nextBoolean()) {
                acts.checkpoint();
            }
        });
    }
}
