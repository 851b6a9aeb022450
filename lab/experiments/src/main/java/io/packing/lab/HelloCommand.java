// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.HelloExperiment;
import io.packing.lab.images.HelloSuite;
import io.packing.lab.images.HelloSuiteResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how fast containers start. */
@Command(
        name = "hello",
        description = {
            "Builds images of Debian packages, and pushes, pulls and runs each, and runs it again: by our layers, and"
                    + " by overlayfs over a full pull from docker-registry.",
            "Prints seconds of each step, how many times as fast ours is, and which part of an image is read for a"
                    + " start. It needs root, /dev/fuse, docker-registry, apt-get, dpkg-deb and unshare."
        })
final class HelloCommand implements Callable<Integer> {
    @Option(
            names = "--image",
            paramLabel = "NAME",
            description = "Only this image, such as python; may be repeated. All eight if it is not given.")
    private Set<String> images = new LinkedHashSet<>();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Rounds over empty stores, of which medians are taken (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--stock",
            description =
                    "Push to our registry as layers, too, as any client does; if not, as snapshots of containers.")
    private boolean stock;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Also write a page with all numbers beside the paper's, and what the images are made of, here.")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--suite",
            paramLabel = "DIR",
            description =
                    "Start images of 4 to 12 gzipped layers instead, each until its program has printed a result or its"
                            + " server has answered: on machines that have nothing of it, and on machines that have its base."
                            + " Packages, layers and the file starts.csv are kept in this directory: the next run goes on"
                            + " behind its rows.")
    private Optional<Path> suite = Optional.empty();

    @Mixin
    private LinkArguments link = new LinkArguments();

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (suite.isPresent()) {
            return suite(suite.get());
        }
        HelloExperiment experiment =
                new HelloExperiment(mount.resolve(), images, rounds, stock, link.link(), new Narrator(report.isJson()));
        HelloExperiment.Result result = experiment.run(out);
        report.print(result, result::print);
        return result.wrong() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private int suite(Path directory) throws IOException, InterruptedException {
        if (stock || rounds > 1 || out.isPresent()) {
            throw new IllegalArgumentException("--stock, --rounds and --out are none of --suite");
        }
        HelloSuiteResult result = new HelloSuite(
                        mount.resolve(), images, directory.toAbsolutePath(), link.link(), new Narrator(report.isJson()))
                .run();
        report.print(result, result::print);
        return result.failed().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
