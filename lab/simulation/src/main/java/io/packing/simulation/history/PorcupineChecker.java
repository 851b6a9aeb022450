// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.history;

import io.packing.linear.Finding.Verdict;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The checker of others: a program in Go that asks Porcupine. Go builds it from the sources of this project. */
final class PorcupineChecker {
    private final Path program;

    private PorcupineChecker(Path program) {
        this.program = program;
    }

    /** Returns the Go of the path. */
    static Optional<Path> go() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "go"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Builds the program.
     *
     * @param root of the clone
     */
    static PorcupineChecker build(Path go, Path root) throws IOException, InterruptedException {
        Path module = root.toAbsolutePath().resolve("lab/simulation");
        Path folder = Files.createDirectories(module.resolve("target/porcupine"));
        Path program = folder.resolve("histories");
        Path log = folder.resolve("build.log");
        Process build = new ProcessBuilder(go.toString(), "build", "-o", program.toString(), ".")
                .directory(module.resolve("porcupine").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        build.getOutputStream().close();
        if (build.waitFor() != 0) {
            throw new IOException("Go does not build the program that asks Porcupine: " + Files.readString(log));
        }
        return new PorcupineChecker(program);
    }

    /** Returns the verdict about each history of a file in the common form. */
    Map<String, Verdict> verdicts(Path histories) throws IOException, InterruptedException {
        Path answers = histories.resolveSibling(histories.getFileName() + ".porcupine");
        Process process = new ProcessBuilder(program.toString())
                .redirectInput(histories.toFile())
                .redirectOutput(answers.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("Porcupine ends with %d for %s".formatted(process.exitValue(), histories));
        }
        Map<String, Verdict> verdicts = new HashMap<>();
        for (String line : Files.readAllLines(answers)) {
            List<String> words = List.of(line.split(" ", -1));
            Verdict unused =
                    verdicts.put(words.get(0), Verdict.valueOf(words.get(1).toUpperCase(Locale.ROOT)));
        }
        return verdicts;
    }
}
