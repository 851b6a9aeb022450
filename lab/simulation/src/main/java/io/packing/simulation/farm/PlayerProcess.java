// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import io.packing.simulation.relink.PlantedDefect;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    static PlayerProcess start(int operations, Optional<PlantedDefect> defect) throws IOException {
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
                Integer.toString(operations)));
        defect.map(PlantedDefect::name).ifPresent(command::add);
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

    @Override
    public void close() {
        process.destroy();
    }
}
