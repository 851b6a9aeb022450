// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import com.sun.management.OperatingSystemMXBean;
import io.packing.simulation.ClusterSchedule;
import io.packing.simulation.ClusterSchedule.Result;
import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.StoryLogs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A process of the farm. It reads a seed a line, plays its schedule, and answers with a line. Asked for its sites, it answers with a line for
 * each. It ends with its input, so that none
 * outlives the farm for longer than a schedule.
 */
public final class FarmPlayer {
    private FarmPlayer() {}

    /** Plays seeds. The words are the number of operations, perhaps {@link PlayedSites#ASKED}, and perhaps a planted defect. */
    public static void main(String[] words) throws IOException, ReflectiveOperationException, InterruptedException {
        StoryLogs.install();
        ClusterWorkload workload = ClusterWorkload.of(Integer.parseInt(words[0]));
        List<String> further = Arrays.asList(words).subList(1, words.length);
        Optional<PlantedDefect> defect = further.stream()
                .filter(word -> !word.equals(PlayedSites.ASKED))
                .map(PlantedDefect::valueOf)
                .findFirst();
        ClusterSchedule cluster = new ClusterSchedule(defect);
        if (further.contains(PlayedSites.ASKED)) {
            cluster.watchStacks();
        }
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        BufferedReader seeds = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = seeds.readLine(); line != null; line = seeds.readLine()) {
            if (line.equals(PlayedSites.ASKED)) {
                cluster.sites().forEach(site -> System.out.println(PlayedSites.line(site)));
                System.out.println(PlayedSites.END);
            } else {
                Result result = cluster.play(Long.parseLong(line), workload);
                // It may not fail so when it is played again: its threads tell where it stood.
                result.failure().ifPresent(why -> System.err.printf("seed %d: %s%n", result.seed(), why));
                System.out.println(
                        PlayedSeed.of(result, process.getProcessCpuTime()).line());
            }
            System.out.flush();
        }
        // A stuck schedule leaves threads behind.
        System.exit(0);
    }
}
