// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.storeservers.DistantWire;
import io.packing.storeservers.NetworkLink;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Builds and runs a source tree by several compilers, each an image of a registry (Slacker §5.8), over our layers and over overlayfs with
 * pulls from docker-registry, compiler by compiler, in turns who is first. Of layers that compilers share a side pulls each once.
 *
 * @param source the tree; it is copied, never changed
 * @param build a command of the shell; empty: make, or a call of the compiler where there is no makefile
 * @param run a command of the shell; empty: make test, or the program
 * @param startsKnown whether another machine has built by each compiler before, in no step's time, so that what its images' containers read
 *     first is known
 * @param shared whether the images share their lower layers; if not, each has all layers for itself
 * @param link between the machine that builds and its servers
 */
public record MultiMake(
        Path source,
        List<String> compilers,
        Optional<String> build,
        Optional<String> run,
        boolean withPeer,
        boolean startsKnown,
        boolean shared,
        Map<String, String> mountOptions,
        NetworkLink link,
        Narrator narrator) {
    static final String OURS = "ours";
    static final String PEER = "peer";
    private static final String WORKSPACE = "packing-multimake";
    private static final List<String> MAKEFILES = List.of("GNUmakefile", "makefile", "Makefile");
    private static final int LONGEST_SAID = 600;
    private static final String COMPILE = """
        if ls *.c >/dev/null 2>&1; then $CC -O2 -o program *.c -lm; else $CXX -O2 -o program *.cc *.cpp; fi\
        """;

    public MultiMake {
        compilers = List.copyOf(compilers);
        compilers.forEach(CompilerImage::of);
        mountOptions = Map.copyOf(mountOptions);
        if (compilers.isEmpty() || compilers.stream().distinct().count() < compilers.size()) {
            throw new IllegalArgumentException("give at least one compiler, and each of them once");
        }
        if (!Files.isDirectory(source)) {
            throw new IllegalArgumentException(source + " is no directory");
        }
    }

    /**
     * The result of one side for one compiler.
     *
     * @param buildExit the exit code of the build
     * @param runExit that of the run; -1: the build failed
     * @param said the end of what build and run printed
     */
    public record Made(
            @JsonProperty("pull_s") double pullS,
            @JsonProperty("build_s") double buildS,
            @JsonProperty("run_s") double runS,
            @JsonProperty("delete_s") double deleteS,
            @JsonProperty("build_exit") int buildExit,
            @JsonProperty("run_exit") int runExit,
            String said) {
        double total() {
            return pullS + buildS + runS + deleteS;
        }

        boolean isRight() {
            return buildExit == 0 && runExit == 0;
        }

        String verdict() {
            return buildExit != 0 ? "build " + buildExit : runExit != 0 ? "run " + runExit : "passed";
        }
    }

    /**
     * A compiler.
     *
     * @param sides what became of it on each side, by {@link #OURS} and {@link #PEER}
     */
    public record CompilerResult(String compiler, Map<String, Made> sides) {
        public CompilerResult {
            sides = Collections.unmodifiableMap(new TreeMap<>(sides));
        }

        Made ours() {
            return Objects.requireNonNull(sides.get(OURS));
        }

        boolean isWrong() {
            return sides.values().stream().map(Made::verdict).distinct().count() > 1;
        }
    }

    /**
     * All of it.
     *
     * @param failed compilers by which the tree cannot be built, or does not run
     * @param wrong compilers with other exit codes on the two sides
     * @param seconds of each side for all of it
     * @param speedup the peer's seconds to ours; 0 without a peer
     */
    public record Result(
            long failed, long wrong, Map<String, Double> seconds, double speedup, List<CompilerResult> compilers) {
        public Result {
            compilers = List.copyOf(compilers);
            seconds = Collections.unmodifiableMap(new TreeMap<>(seconds));
        }

        static Result of(List<CompilerResult> all) {
            Map<String, Double> seconds = new LinkedHashMap<>();
            for (CompilerResult each : all) {
                each.sides().forEach((side, made) -> seconds.merge(side, made.total(), Double::sum));
            }
            return new Result(
                    all.stream().filter(each -> !each.ours().isRight()).count(),
                    all.stream().filter(CompilerResult::isWrong).count(),
                    seconds,
                    seconds.getOrDefault(PEER, 0.0) / seconds.getOrDefault(OURS, 1.0),
                    all);
        }

        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf("%-10s %-10s %8s %8s %8s %8s %8s%n", "", "", "pull s", "build s", "run s", "delete s", "all s");
            for (CompilerResult each : compilers) {
                each.sides()
                        .forEach((side, made) -> line(out, side.equals(OURS) ? each.compiler() : "  overlay", made));
            }
            seconds.forEach((side, all) -> out.printf(
                    "%s, %d compilers: %.2f s%n",
                    side.equals(OURS) ? "ours" : "overlayfs with pulls", compilers.size(), all));
            if (speedup > 0) {
                out.printf("ours is %.1f times as fast%n", speedup);
            }
            for (CompilerResult each : compilers) {
                if (!each.ours().isRight()) {
                    out.printf(
                            "%s: %s%n%s%n",
                            each.compiler(), each.ours().verdict(), each.ours().said());
                }
            }
            if (wrong > 0) {
                out.printf("%d compilers ended otherwise over overlayfs%n", wrong);
            }
        }

        private static void line(PrintWriter out, String name, Made made) {
            out.printf(
                    "%-10s %-10s %8.2f %8.2f %8.2f %8.2f %8.2f%n",
                    name, made.verdict(), made.pullS(), made.buildS(), made.runS(), made.deleteS(), made.total());
        }
    }

    /** Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so. */
    public Result make() throws IOException, InterruptedException {
        if (!FuseMount.isPossible()) {
            throw new IllegalArgumentException("/dev/fuse cannot be opened: load the fuse module, and run as root");
        }
        if (withPeer) {
            PeerRegistry.check();
        }
        HostPrograms.check("unshare", "apt-get install util-linux");
        AptImages.check();
        // The wires outlast the workspaces, whose mounts reach their servers over these.
        try (DistantWire wire = new DistantWire(link);
                DistantWire theirWire = new DistantWire(link);
                Workspace built = Workspace.create(WORKSPACE);
                Workspace mine = Workspace.create(WORKSPACE);
                Workspace theirs = Workspace.create(WORKSPACE)) {
            AptImages apt = new AptImages(built.directory());
            Map<CompilerImage, ImageSet.Image> images = new LinkedHashMap<>();
            for (String each : compilers) {
                narrator.accept("building image " + each);
                CompilerImage compiler = CompilerImage.of(each);
                images.put(compiler, shared ? apt.build(compiler.recipe()) : apt.buildUnshared(compiler.recipe()));
            }
            narrator.accept("compressing %d images".formatted(images.size()));
            ImageSet gzipped = new ImageSet(List.copyOf(images.values()), 0).gzip();
            int count = 0;
            for (CompilerImage each : List.copyOf(images.keySet())) {
                images.put(each, gzipped.images().get(count++));
            }
            EngineRig rig = EngineRig.start(mine, S3Process.Limits.NONE, 1, mountOptions, wire);
            CloneSide ours = mine.own(new CloneSide(mine, rig, true, wire));
            push(ours, images);
            Optional<OverlaySide> peer = Optional.empty();
            if (withPeer) {
                S3Process s3 = S3Process.start(theirs, S3Process.Limits.NONE);
                peer = Optional.of(theirs.own(new OverlaySide(theirs, s3, shared, theirWire)));
                push(peer.get(), images);
            }
            return run(images, ours, peer, built.directory());
        }
    }

    private void push(HelloSide side, Map<CompilerImage, ImageSet.Image> images)
            throws IOException, InterruptedException {
        for (ImageSet.Image image : images.values()) {
            narrator.accept("pushing image " + image.name());
            side.build(image);
            side.push(image);
        }
        side.settle();
    }

    private Result run(Map<CompilerImage, ImageSet.Image> images, CloneSide ours, Optional<OverlaySide> peer, Path logs)
            throws IOException, InterruptedException {
        List<CompilerResult> results = new ArrayList<>();
        for (Map.Entry<CompilerImage, ImageSet.Image> each : images.entrySet()) {
            narrator.accept("building by " + each.getKey().compiler());
            if (startsKnown) {
                learn(ours, each.getKey(), each.getValue(), logs);
            }
            Map<String, Made> sides = new LinkedHashMap<>();
            boolean peerFirst = peer.isPresent() && results.size() % 2 == 0;
            if (peerFirst) {
                sides.put(PEER, make(peer.get(), each.getKey(), each.getValue(), logs));
            }
            sides.put(OURS, make(ours, each.getKey(), each.getValue(), logs));
            if (peer.isPresent() && !peerFirst) {
                sides.put(PEER, make(peer.get(), each.getKey(), each.getValue(), logs));
            }
            results.add(new CompilerResult(each.getKey().compiler(), sides));
            // A run of many compilers may be stopped: its figures so far are said.
            sides.forEach(
                    (side, made) -> narrator.accept("  %s by %s: %s, pull %.2f, build %.2f, run %.2f, delete %.2f s"
                            .formatted(
                                    each.getKey().compiler(),
                                    side,
                                    made.verdict(),
                                    made.pullS(),
                                    made.buildS(),
                                    made.runS(),
                                    made.deleteS())));
        }
        return Result.of(results);
    }

    /** Builds on one machine, and goes to another one, which has nothing but what is known of the start. */
    private void learn(CloneSide ours, CompilerImage compiler, ImageSet.Image image, Path logs)
            throws IOException, InterruptedException {
        ours.go(false);
        Made unused = make(ours, compiler, image, logs);
        if (!ours.awaitStart(image)) {
            throw new IOException("what a container of %s read first was not kept".formatted(image.name()));
        }
        ours.go(true);
    }

    private Made make(HelloSide side, CompilerImage compiler, ImageSet.Image image, Path logs)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        side.pull(image);
        double pullS = since(begin);
        long start = System.nanoTime();
        Path root = side.start(image);
        Path copy = Files.createDirectories(root.resolve("source"));
        HostPrograms.run(logs, List.of("cp", "-a", source.toAbsolutePath() + "/.", copy.toString()));
        Path log = logs.resolve("make.log");
        ContainerRun built = Container.run(root, log, compiler.variables(), in(build.orElse(defaultBuild())));
        double buildS = since(start);
        long running = System.nanoTime();
        ContainerRun ran = built.exit() == 0
                ? Container.run(root, log, compiler.variables(), in(run.orElse(defaultRun())))
                : new ContainerRun(-1, "");
        double runS = since(running);
        long deleting = System.nanoTime();
        side.stop();
        side.remove(image);
        return new Made(pullS, buildS, runS, since(deleting), built.exit(), ran.exit(), end(built.said() + ran.said()));
    }

    private static String in(String command) {
        return "cd /source && " + command;
    }

    private boolean hasMakefile() throws IOException {
        try (Stream<Path> files = Files.list(source)) {
            return files.anyMatch(file -> MAKEFILES.contains(file.getFileName().toString()));
        }
    }

    private String defaultBuild() throws IOException {
        return hasMakefile() ? "make CC=\"$CC\" CXX=\"$CXX\"" : COMPILE;
    }

    private String defaultRun() throws IOException {
        return hasMakefile() ? "make CC=\"$CC\" CXX=\"$CXX\" test" : "./program";
    }

    private static String end(String said) {
        String text = said.strip();
        return text.substring(Math.max(0, text.length() - LONGEST_SAID));
    }

    private static double since(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
