// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.lab.compare.FigureSpread;
import io.packing.lab.compare.RunOrigin;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Containers;
import io.packing.process.Await;
import io.packing.registry.files.MountFiles;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * An image of compilers, headers and Python is pulled and started by stock containerd, with our snapshotter and with containerd's overlayfs,
 * from one registry of ours. Each turn has a machine that never saw the image: a containerd, a snapshotter and a mount of its own. One such
 * machine has started the image before all turns, so that its start is known.
 *
 * @param systems that take turns, in this order in the first round
 */
public record ContainerdBench(
        Map<String, String> mountOptions, List<String> systems, int rounds, RunOrigin origin, Narrator narrator) {
    private static final String NAME = "compilers";
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final AptImages.Recipe RECIPE = new AptImages.Recipe(
            NAME,
            List.of(
                    List.of("python3"),
                    List.of("g++", "make"),
                    List.of("libpython3-dev", "libboost1.74-dev"),
                    List.of("python3-numpy")),
            Map.of());
    /** Imports a part of Python's library, as a service does. */
    private static final List<String> PROGRAM = List.of(
            "/usr/bin/python3",
            "-c",
            "import argparse, asyncio, http.server, json, logging.config, sqlite3, ssl, urllib.request;"
                    + " print('hello by', len(json.__all__), 'names of', json.__name__)");

    public ContainerdBench {
        mountOptions = Map.copyOf(mountOptions);
        systems = systems.isEmpty() ? ContainerdSystem.options() : List.copyOf(systems);
        systems.forEach(ContainerdSystem::of);
        if (rounds < 1) {
            throw new IllegalArgumentException("%d rounds: at least 1".formatted(rounds));
        }
    }

    /**
     * The figures of a system: medians of all rounds, with the least and the most.
     *
     * @param pull seconds
     * @param firstStart seconds of the first container, from its creation to its removal
     * @param secondStart seconds of the second one
     * @param deployment seconds of a round's pull and first start
     * @param server processor seconds of our snapshotter and mount in the first start
     */
    public record SystemResult(
            String system,
            @JsonProperty("pull_seconds") FigureSpread pull,
            @JsonProperty("first_start_seconds") FigureSpread firstStart,
            @JsonProperty("second_start_seconds") FigureSpread secondStart,
            @JsonProperty("pull_and_first_start_seconds") FigureSpread deployment,
            @JsonProperty("server_processor_seconds") FigureSpread server) {
        static SystemResult of(String system, List<ContainerdRun> runs) {
            return new SystemResult(
                    system,
                    spread(runs, ContainerdRun::pullS),
                    spread(runs, ContainerdRun::firstS),
                    spread(runs, ContainerdRun::secondS),
                    spread(runs, ContainerdRun::deploymentS),
                    spread(runs, ContainerdRun::serverS));
        }

        private static FigureSpread spread(List<ContainerdRun> runs, ToDoubleFunction<ContainerdRun> of) {
            return FigureSpread.of(
                    runs.stream().map(of::applyAsDouble).map(Double.class::cast).toList());
        }
    }

    /**
     * All of it.
     *
     * @param systems the first start anywhere, whose reads nothing knows, and the systems with a known start
     * @param wrong runs that failed, or printed other words than the first one
     * @param loadBefore processes that wanted a processor, on average in the minute before
     */
    public record Result(
            List<SystemResult> systems,
            @JsonProperty("image_bytes") long imageBytes,
            int layers,
            int rounds,
            long wrong,
            String containerd,
            String machine,
            String commit,
            Map<String, String> options,
            @JsonProperty("load_before") double loadBefore,
            @JsonProperty("load_after") double loadAfter) {
        public Result {
            systems = List.copyOf(systems);
            options = Map.copyOf(options);
        }

        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf(
                    "%-26s %-22s %-22s %-22s %-22s %s%n",
                    "", "pull s", "first start s", "second start s", "pull and first s", "our servers s");
            systems.forEach(each -> out.printf(
                    "%-26s %-22s %-22s %-22s %-22s %s%n",
                    each.system(),
                    each.pull(),
                    each.firstStart(),
                    each.secondStart(),
                    each.deployment(),
                    each.server()));
            out.printf("Image: %,d bytes in %d layers; %d rounds; %d wrong%n", imageBytes, layers, rounds, wrong);
            out.printf("%s; load %.1f before, %.1f after%n", containerd, loadBefore, loadAfter);
            new RunOrigin(commit, machine, options).lines().forEach(out::println);
        }
    }

    /** Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so. */
    public Result run() throws IOException, InterruptedException {
        check();
        AptImages.check();
        try (Workspace built = Workspace.create("packing-containerd")) {
            narrator.accept("building the image");
            return run(new AptImages(built.directory()).build(RECIPE), PROGRAM);
        }
    }

    /** Says what is missing on this machine, if anything is. */
    static void check() {
        if (!FuseMount.isPossible()) {
            throw new IllegalArgumentException("/dev/fuse cannot be opened: load the fuse module, and run as root");
        }
        ContainerdMachine.check();
    }

    /** Runs it with an image that is there already, and a program in it. */
    Result run(ImageSet.Image image, List<String> program) throws IOException, InterruptedException {
        double before = load();
        try (Workspace workspace = Workspace.create("packing-containerd")) {
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, mountOptions);
            EngineRig.Registry registry = rig.startRegistry(workspace, "registry", List.of());
            narrator.accept("pushing the image");
            double unused = new RegistryLoad(registry.uri()).push(new ImageSet(List.of(image), 0));
            OwnSide.awaitSplit(registry);
            flush(rig);
            ContainerdRun.Work work = new ContainerdRun.Work(
                    "%s/%s:v1".formatted(registry.uri().getAuthority(), RegistryLoad.repository(image)), program);
            narrator.accept("starting it for the first time anywhere");
            ContainerdRun unknown = ContainerdRun.of(ContainerdSystem.PACKING, rig, work, () -> awaitStart(rig, image));
            flush(rig);
            String said = unknown.first().said();
            Map<ContainerdSystem, List<ContainerdRun>> runs = rounds(rig, work);
            List<SystemResult> results = new ArrayList<>();
            results.add(SystemResult.of("packing, start unknown", List.of(unknown)));
            runs.forEach((system, all) -> results.add(SystemResult.of(system.words(), all)));
            long wrong = runs.values().stream()
                    .flatMap(List::stream)
                    .filter(each -> !each.isRight(said))
                    .count();
            if (!unknown.isRight(said)) {
                narrator.accept("the first start ended with %s".formatted(unknown.first()));
                wrong++;
            }
            return new Result(
                    results,
                    image.layers().stream().mapToLong(ImageSet.Blob::size).sum(),
                    image.layers().size(),
                    rounds,
                    wrong,
                    ContainerdMachine.version(),
                    origin.machine(),
                    origin.commit(),
                    origin.options(),
                    before,
                    load());
        }
    }

    private Map<ContainerdSystem, List<ContainerdRun>> rounds(EngineRig rig, ContainerdRun.Work work)
            throws IOException, InterruptedException {
        Map<ContainerdSystem, List<ContainerdRun>> runs = new EnumMap<>(ContainerdSystem.class);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < systems.size(); i++) {
                // Each system comes first in some round.
                ContainerdSystem system = ContainerdSystem.of(systems.get((round + i) % systems.size()));
                ContainerdRun run = ContainerdRun.of(system, rig, work, () -> {});
                narrator.accept("round %d, %s: pull %.2f s, first start %.2f s, second %.2f s"
                        .formatted(round + 1, system.words(), run.pullS(), run.firstS(), run.secondS()));
                runs.computeIfAbsent(system, unused -> new ArrayList<>()).add(run);
            }
        }
        return runs;
    }

    /** Brings all bytes to the store: later reads fetch them there. */
    private static void flush(EngineRig rig) throws IOException, InterruptedException {
        try (EngineRig.Client client = rig.client()) {
            client.mount().flush();
        }
    }

    /** Waits until the reads of the first container of an image are kept with the image. */
    private static void awaitStart(EngineRig rig, ImageSet.Image image) throws IOException, InterruptedException {
        try (EngineRig.Client client = rig.client();
                OpenRegistry registry = new OpenRegistry(
                        new MountFiles(client.mount(), MountOptions.from(rig.mountOptions())),
                        new FilePath(EngineRig.REGISTRY))) {
            Containers containers = new Containers(registry, client.mount().bdt());
            ImageName name = new ImageName(RegistryLoad.repository(image), "v1");
            Await.until("the start of the image is kept", LONGEST, () -> containers.knowsStart(name));
        }
    }

    private static double load() throws IOException {
        return Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]);
    }
}
