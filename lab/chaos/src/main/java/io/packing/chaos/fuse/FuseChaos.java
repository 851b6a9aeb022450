// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.chaos.run.Counts;
import io.packing.chaos.run.Seeds;
import io.packing.rig.EngineRig;
import io.packing.worker.read.ReadCaches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Rounds of kills beneath programs that use FUSE mounts. All rounds share the store, the table and the directories. */
public final class FuseChaos {
    private static final int LANES = 3;
    private static final List<String> ALWAYS =
            List.of("hung", "lost", "mounts_left", "processes_left", "returned", "wrong");

    private FuseChaos() {}

    /**
     * The result of all rounds.
     *
     * @param failures in words, with the seed of the round
     */
    public record Result(long rounds, String seed, Map<String, Long> counts, List<String> failures) {
        public Result {
            counts = new LinkedHashMap<>(counts);
            failures = List.copyOf(failures);
        }

        public boolean isClean() {
            return failures.isEmpty();
        }

        /** Returns all figures by name. */
        public Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("rounds", rounds);
            fields.put("seed", seed);
            ALWAYS.forEach(name -> fields.put(name, 0L));
            fields.putAll(counts);
            fields.put("failures", failures);
            return fields;
        }
    }

    /**
     * Plays rounds until one fails: the damage would fail the next rounds, too.
     *
     * @param home directory of all processes
     * @param told receives a line for each round
     */
    public static Result run(Path home, int rounds, Seeds seeds, Consumer<String> told)
            throws IOException, InterruptedException {
        Counts counts = new Counts();
        List<String> failures = new ArrayList<>();
        int played = 0;
        try (FuseProcesses site = FuseProcesses.start(Files.createDirectories(home))) {
            Images images = new Images(site, counts);
            images.pushFirst(new Random(seeds.next().getAsLong()));
            EngineRig.Target target = new EngineRig.Target(site.master(), site.options());
            try (EngineRig.Client client = target.client(new ReadCaches())) {
                Outcome made =
                        client.mount().bdt().mkdir(FuseRound.WORK, new DirectoryAttributes("root", "root", 0755), true);
                if (made != Outcome.DONE) {
                    throw new IOException("%s cannot be made: %s".formatted(FuseRound.WORK, made));
                }
            }
            List<ProgramLane> lanes = new ArrayList<>();
            for (int i = 0; i < LANES; i++) {
                lanes.add(new ProgramLane("lane-" + i, i + 1, counts));
            }
            while (played < rounds && failures.isEmpty()) {
                long seed = seeds.next().getAsLong();
                long start = System.nanoTime();
                for (String each : new FuseRound(home, site, lanes, images, counts, seed).play()) {
                    failures.add("round %d, seed %d: %s".formatted(played + 1, seed, each));
                }
                played++;
                told.accept("round %d, seed %d: %s, %.1f s"
                        .formatted(
                                played,
                                seed,
                                failures.isEmpty() ? "clean" : String.join("; ", failures),
                                (System.nanoTime() - start) / 1e9));
            }
        }
        return new Result(played, seeds.text(), counts.all(), failures);
    }
}
