// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A part of a measurement in a process of its own, with its own memory, caches and end. */
final class Phase {
    private Phase() {}

    /** Runs a driver again with these arguments, and waits for it; its output goes to this process's. */
    static void run(Class<?> main, String heap, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IOException("%s ended with %d".formatted(arguments, exit));
        }
    }

    /**
     * Ends this process when one of its threads fails: otherwise its servers would keep it, and its parent, forever.
     */
    static void endOnFailure() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            System.err.printf("%s failed:%n", thread.getName());
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
    }

    /** Ends this process as a crash would: it flushes and closes nothing. */
    static void crash() {
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static void deleteTree(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
