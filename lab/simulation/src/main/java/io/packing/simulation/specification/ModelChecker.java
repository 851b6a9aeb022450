// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.specification;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** TLC, in a process of its own, with the modules of one folder. */
final class ModelChecker {
    /** The answer for a state from which there is no step. */
    static final String DEADLOCKED = "deadlock";

    /** Exit codes of TLC. */
    private static final int SOUND = 0;

    private static final int DEADLOCK = 11;
    private static final int VIOLATED = 12;

    private static final Pattern STATES =
            Pattern.compile("([\\d,]+) states generated, ([\\d,]+) distinct states found");
    private static final Pattern INVARIANT = Pattern.compile("Invariant (\\w+) is violated");
    private static final int MEGABYTES = 1_500;

    private final Path folder;
    private final int threads;

    /**
     * @param folder of the modules and of what TLC writes
     * @param threads that search
     */
    ModelChecker(Path folder, int threads) {
        this.folder = folder;
        this.threads = threads;
    }

    /**
     * The answer of TLC.
     *
     * @param violated the name of an invariant, {@code deadlock}, or nothing
     * @param states distinct states that were found
     * @param output all that it printed
     */
    record Answer(String violated, long states, String output) {
        boolean isSound() {
            return violated.isEmpty();
        }
    }

    /** Checks a module with a configuration. */
    Answer check(String module, String configuration) throws IOException, InterruptedException {
        Path log = folder.resolve(configuration + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx%dm".formatted(MEGABYTES),
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("java.class.path"),
                "tlc2.TLC",
                "-workers",
                Integer.toString(threads),
                "-metadir",
                folder.resolve(configuration + ".states").toString(),
                "-config",
                configuration + ".cfg",
                module + ".tla"));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Thread end = new Thread(process::destroy, "end-tlc");
        Runtime.getRuntime().addShutdownHook(end);
        int code = process.waitFor();
        boolean unused = Runtime.getRuntime().removeShutdownHook(end);
        String output = Files.readString(log);
        return new Answer(violated(code, output, log), states(output), output);
    }

    private static String violated(int code, String output, Path log) throws IOException {
        Matcher invariant = INVARIANT.matcher(output);
        if (code == VIOLATED && invariant.find()) {
            return invariant.group(1);
        }
        return switch (code) {
            case SOUND -> "";
            case DEADLOCK -> DEADLOCKED;
            default -> throw new IOException("TLC ends with %d, see %s".formatted(code, log));
        };
    }

    private static long states(String output) {
        long states = 0;
        for (Matcher found = STATES.matcher(output); found.find(); ) {
            states = Long.parseLong(found.group(2).replace(",", ""));
        }
        return states;
    }
}
