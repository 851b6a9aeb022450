// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Programs of the machine that the experiment runs. */
public final class HostPrograms {
    private HostPrograms() {}

    /**
     * Refuses to begin without a program.
     *
     * @throws IllegalArgumentException saying what to install
     */
    public static void check(String name, String install) {
        boolean found = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
        if (!found) {
            throw new IllegalArgumentException("this experiment runs %s: %s".formatted(name, install));
        }
    }

    /** Runs a program to its end, in a directory; what it says goes to a file there. */
    static void run(Path directory, List<String> command) throws IOException, InterruptedException {
        Path log = directory.resolve("program.log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException("%s ended with %d: %s"
                    .formatted(
                            String.join(" ", command),
                            exit,
                            Files.readString(log).strip()));
        }
    }

    /** Bytes of all files below a directory. */
    static long bytesBelow(Path directory) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
