// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import io.packing.chaos.cluster.MasterGroupProcesses;
import io.packing.chaos.cluster.Trees;
import io.packing.chaos.run.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Rounds on a group of masters, one after the other. */
public final class MasterGroupChaos {
    private static final int WORKERS = 2;
    private static final int CLIENTS = 2;
    private static final int TOLD = 5;

    private final Path home;
    private final int masters;
    private final int rounds;
    private final Seeds seeds;
    private final Consumer<String> progress;
    private final MasterGroupResult result;
    private MasterGroupPlan next;
    private int played;

    private MasterGroupChaos(Path home, int masters, int rounds, Seeds seeds, Consumer<String> progress) {
        this.home = home;
        this.masters = masters;
        this.rounds = rounds;
        this.seeds = seeds;
        this.progress = progress;
        this.result = new MasterGroupResult(seeds.text());
        this.next = MasterGroupPlan.of(seeds.next().getAsLong());
    }

    /**
     * Plays rounds. A failed round leaves its history, and the processes' files and logs.
     *
     * @param progress receives lines about each round
     */
    public static MasterGroupResult run(Path home, int masters, int rounds, Seeds seeds, Consumer<String> progress)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        MasterGroupChaos chaos = new MasterGroupChaos(Files.createDirectories(home), masters, rounds, seeds, progress);
        while (chaos.played < rounds) {
            chaos.playUntilOneFails();
        }
        chaos.result.took((System.nanoTime() - start) / 1e9);
        return chaos.result;
    }

    /**
     * Starts a group, and plays rounds on it until one fails or a plan needs another protection. A group's damage may
     * last, and a group cannot change whether it has certificates.
     */
    private void playUntilOneFails() throws IOException, InterruptedException {
        Path directory = home.resolve("group-" + (played + 1));
        boolean clean = true;
        boolean guarded = next.guarded();
        try (MasterGroupProcesses group = MasterGroupProcesses.start(directory, masters, WORKERS, CLIENTS, guarded)) {
            while (clean && played < rounds && next.guarded() == guarded) {
                MasterGroupPlan plan = next;
                next = MasterGroupPlan.of(seeds.next().getAsLong());
                played++;
                clean = play(group, plan);
            }
        }
        if (clean) {
            Trees.delete(directory);
        } else {
            progress.accept("  the processes' files and logs are in " + directory);
        }
    }

    private boolean play(MasterGroupProcesses group, MasterGroupPlan plan) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long seed = plan.seed();
        Ground ground = new Ground(group, System::nanoTime);
        MasterGroupRound round = new MasterGroupRound(ground, plan, "/round-" + played);
        Optional<IOException> cut = Optional.empty();
        MasterGroupRound.Report report;
        try {
            report = round.play();
        } catch (IOException e) {
            cut = Optional.of(e);
            report = round.cut();
        }
        result.played();
        result.add(report);
        boolean clean = report.isClean() && cut.isEmpty();
        progress.accept("round %d of %d, seed %d, %.1f s%s: %d operations, %s%s%s"
                .formatted(
                        played,
                        rounds,
                        seed,
                        (System.nanoTime() - start) / 1e9,
                        plan.guarded() ? ", TLS and encryption" : "",
                        report.operations(),
                        report.outages(),
                        report.skipped().isEmpty() ? "" : ", not possible here: " + report.skipped(),
                        clean ? "" : " FAILED"));
        if (!clean) {
            result.failed(seed);
            tell(report, cut, ground.history());
        }
        return clean;
    }

    private void tell(MasterGroupRound.Report report, Optional<IOException> cut, OperationHistory history)
            throws IOException {
        if (cut.isPresent()) {
            result.broken();
            progress.accept("  cut: " + cut.get());
        }
        List<String> wrong = new ArrayList<>(report.lost());
        wrong.addAll(report.nonlinearizable());
        wrong.addAll(report.undecided());
        wrong.stream().limit(TOLD).forEach(each -> progress.accept("  " + each));
        Path file = home.resolve("round-%d.history".formatted(played));
        history.write(file);
        progress.accept("  %d findings; all that clients did is in %s".formatted(wrong.size(), file));
    }
}
