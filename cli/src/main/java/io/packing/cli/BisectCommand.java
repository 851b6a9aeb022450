// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Bisection;
import io.packing.layers.root.Containers;
import io.packing.layers.root.ImageHistory;
import io.packing.layers.root.RootProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Searches the images of a repository for the first bad one, as git bisect run searches commits. */
@Command(
        name = "bisect",
        description = {
            "Searches the images of a repository, in the order in which their tags were set, for the first one by which a command"
                    + " fails. It runs the command by halves, each time in a new container, whose root is a clone.",
            "A command that ends with 0 says good, with 125 that the image cannot be tried, with any other code below 128 bad;"
                    + " a higher code ends the search. It runs as root, with the machine's devices and network: it is no sandbox. Its"
                    + " output goes to standard error."
        })
final class BisectCommand implements Callable<Integer> {
    private static final int CANNOT_BE_TRIED = 125;
    private static final int FIRST_SIGNAL = 128;

    @Parameters(
            paramLabel = "[MOUNT] GOOD BAD COMMAND...",
            // Not three: picocli would want all of them before the two dashes.
            arity = "2..*",
            hideParamSyntax = true,
            description =
                    RegistryTarget.PLACE + " " + "GOOD: an image of the registry, as podman names it, by which the"
                            + " command succeeds. BAD: a later one of its repository, by which it fails. COMMAND: what to run, behind --.")
    private List<String> words = List.of();

    @Option(
            names = "--roots",
            paramLabel = "DIR",
            required = true,
            description = "Where packing layers roots has mounted the roots here.")
    private Path roots = Path.of("");

    @Mixin
    private RegistryTarget target = new RegistryTarget();

    @Mixin
    private Report report = new Report();

    /**
     * One trial.
     *
     * @param verdict {@code good}, {@code bad} or {@code skipped}
     * @param seconds from the container's creation to the end of the command
     */
    record Tried(String image, int exit, String verdict, double seconds) {}

    /**
     * The end of a search.
     *
     * @param firstBad the first image that is known to be bad
     * @param lastGood the last one that is known to be good
     * @param untried images between these two, which could not be tried
     * @param images of the history
     */
    record Found(
            @JsonProperty("first_bad") String firstBad,
            @JsonProperty("last_good") String lastGood,
            List<String> untried,
            int images,
            List<Tried> tried) {
        void print(PrintWriter out) {
            for (Tried each : tried) {
                out.printf("%s: %s, exit code %d, %.2f s%n", each.image(), each.verdict(), each.exit(), each.seconds());
            }
            out.printf("first bad: %s; last good: %s; %d images%n", firstBad, lastGood, images);
            if (!untried.isEmpty()) {
                out.printf("between them and not tried: %s%n", String.join(", ", untried));
            }
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        int operands = MountUri.isOne(words.get(0)) ? 3 : 2;
        if (words.size() <= operands) {
            throw new IllegalArgumentException("give GOOD, BAD and a command behind --");
        }
        List<String> images = target.operands(words.subList(0, operands), 2, "GOOD BAD");
        target.at(Optional.empty());
        List<String> command = words.subList(operands, words.size());
        try (OpenedRegistry opened = new OpenedRegistry(target.open())) {
            List<ImageName> history = new ImageHistory(opened.registry())
                    .between(OpenedRegistry.image(images.get(0)), OpenedRegistry.image(images.get(1)));
            Found found = search(opened.containers(), history, command);
            report.print(found, found::print);
            return found.untried().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    private Found search(Containers containers, List<ImageName> history, List<String> command)
            throws IOException, InterruptedException {
        List<Tried> tried = new ArrayList<>();
        expect("good", tried, tried(containers, history.get(0), command));
        expect("bad", tried, tried(containers, history.get(history.size() - 1), command));
        Bisection bisection = new Bisection(history.size());
        for (OptionalInt next = bisection.next(); next.isPresent(); next = bisection.next()) {
            int at = next.getAsInt();
            Tried trial = tried(containers, history.get(at), command);
            tried.add(trial);
            switch (trial.verdict()) {
                case "good" -> bisection.good(at);
                case "bad" -> bisection.bad(at);
                default -> bisection.skip(at);
            }
        }
        return new Found(
                text(history.get(bisection.firstBad())),
                text(history.get(bisection.lastGood())),
                history.subList(bisection.lastGood() + 1, bisection.firstBad()).stream()
                        .map(BisectCommand::text)
                        .toList(),
                history.size(),
                tried);
    }

    private static void expect(String verdict, List<Tried> tried, Tried trial) {
        if (!trial.verdict().equals(verdict)) {
            throw new IllegalArgumentException("%s is %s and was given as %s: the command ended with %d"
                    .formatted(trial.image(), trial.verdict(), verdict, trial.exit()));
        }
        tried.add(trial);
    }

    private Tried tried(Containers containers, ImageName image, List<String> command)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        String name = "bisect-" + OpenRegistry.id();
        FilePath root = containers.create(name, image);
        try {
            Path at = roots.resolve(name).resolve(root.name());
            if (!Files.isDirectory(at)) {
                throw new IOException("%s has no %s/%s: give the directory of packing layers roots of this registry"
                        .formatted(roots, name, root.name()));
            }
            int exit = RootProgram.run(at.toAbsolutePath(), Path.of(System.getProperty("java.io.tmpdir")), command);
            if (exit >= FIRST_SIGNAL) {
                throw new IOException("the command ended with %d in a container of %s: the search is given up"
                        .formatted(exit, text(image)));
            }
            String verdict = exit == 0 ? "good" : exit == CANNOT_BE_TRIED ? "skipped" : "bad";
            return new Tried(text(image), exit, verdict, (System.nanoTime() - begin) / 1e9);
        } finally {
            boolean unused = containers.remove(name);
        }
    }

    private static String text(ImageName image) {
        return image.repository() + ":" + image.reference();
    }
}
