// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Home;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Plays the tests that a build leaves to the night, and the hunts for longer than a build does. */
@Command(
        name = "nightly",
        description = {
            "Plays what .ci/run leaves to the night, one part after the other: tests with the tag experiment, and hunts with more rounds "
                    + "and another seed. It goes on after a part that failed.",
            "Prints a line for each part; its output is in a file. Ends with 1 if a part failed. Takes about four hours."
        })
final class NightlyCommand implements Callable<Integer> {
    @Mixin
    private Report report = new Report();

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "The seed of all hunts (default: ${DEFAULT-VALUE}; bin/lab gives the day, such as 20261129).")
    private long seed;

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description =
                    "Plays these parts only: tests, chaos, masters, fuse, fuzz, soak, farm, histories or specification.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description = "The folder of the parts' output (default: target/nightly in the clone).")
    private @Nullable Path logs;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path root = Home.find().root();
        Path folder = Files.createDirectories(logs == null ? root.resolve("target/nightly") : logs);
        List<Nightly.Outcome> outcomes = Nightly.run(
                Nightly.parts(seed, only),
                part -> run(root, folder.resolve(part.name() + ".log"), part.words()),
                System::nanoTime,
                outcome -> {
                    if (!report.isJson()) {
                        report.out().println(outcome.line(folder));
                        report.out().flush();
                    }
                });
        report.print(outcomes, out -> out.println(Nightly.summary(outcomes)));
        return outcomes.stream().allMatch(Nightly.Outcome::passed) ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static int run(Path root, Path log, List<String> words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words)
                .directory(root.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Thread end = new Thread(
                () -> {
                    process.descendants().forEach(ProcessHandle::destroy);
                    process.destroy();
                },
                "end-part");
        Runtime.getRuntime().addShutdownHook(end);
        int code = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        return code;
    }
}
