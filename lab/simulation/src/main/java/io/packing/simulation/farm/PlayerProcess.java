// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.schedule.FaultSites.Site;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link FarmPlayer} as the farm sees it. Confined to one thread, but for {@link #close}. */
final class PlayerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedWriter seeds;
    private final BufferedReader answers;

    private PlayerProcess(Process process) {
        this.process = process;
        this.seeds = process.outputWriter();
        this.answers = process.inputReader();
    }

    /** Starts a process with the options and the class path of this one. */
    static PlayerProcess start(Farm.Terms terms) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                // Agents and debuggers of this process are its own.
                .filter(option -> option.startsWith("-X") || option.startsWith("--add-exports"))
                .toList());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                FarmPlayer.class.getName(),
                Integer.toString(terms.operations())));
        if (terms.sites()) {
            command.add(PlayedSites.ASKED);
        }
        terms.defect().map(PlantedDefect::name).ifPresent(command::add);
        return new PlayerProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Plays a seed. */
    PlayedSeed play(long seed) throws IOException {
        seeds.write(Long.toString(seed));
        seeds.newLine();
        seeds.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException(
                    "the process that played seed %d has ended; play it by bin/lab simulate --seed %d --schedules 1"
                            .formatted(seed, seed));
        }
        return PlayedSeed.parse(answer);
    }

    /** Returns the sites of all schedules that it has played. */
    List<Site> sites() throws IOException {
        seeds.write(PlayedSites.ASKED);
        seeds.newLine();
        seeds.flush();
        List<Site> told = new ArrayList<>();
        for (String line = answers.readLine(); !PlayedSites.END.equals(line); line = answers.readLine()) {
            if (line == null) {
                throw new IOException("a process of the farm ended before it told its sites");
            }
            told.add(PlayedSites.parse(line));
        }
        return told;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
