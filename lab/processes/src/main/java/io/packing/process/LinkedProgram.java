// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A program of this machine with the libraries that it is linked with, from which tests make small containers. */
public final class LinkedProgram {
    private static final Pattern LIBRARY = Pattern.compile("(/\\S+)\\s+\\(0x");

    private LinkedProgram() {}

    /**
     * Copies a program and its libraries below a directory, to the paths that they have on this machine. Files that are there stay.
     *
     * @param program a name that the shell finds, or a path
     * @throws IOException if there is no such program, or its libraries cannot be told
     */
    public static void copy(String program, Path root) throws IOException, InterruptedException {
        String path = said("sh", "-c", "command -v \"$1\"", "sh", program).strip();
        copy(Path.of(path), root);
        for (MatchResult library : LIBRARY.matcher(said("ldd", path)).results().toList()) {
            copy(Path.of(library.group(1)), root);
        }
    }

    private static void copy(Path file, Path root) throws IOException {
        Path to = root.resolve(Path.of("/").relativize(file));
        if (Files.notExists(to)) {
            Path unused = Files.createDirectories(to.resolveSibling(""));
            Path unusedToo = Files.copy(file, to);
        }
    }

    private static String said(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(
                    "%s ended with %d: %s".formatted(String.join(" ", command), process.exitValue(), said));
        }
        return said;
    }
}
