package io.packing.cli.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.compare.Median;
import io.packing.cli.rig.EngineRig;
import io.packing.cli.rig.Narrator;
import io.packing.cli.rig.S3Process;
import io.packing.cli.rig.Workspace;
import io.packing.fuse.mount.FuseMount;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * HelloBench in a small form (Slacker §4.1): each image is pushed, pulled and run twice, by our layers and by overlayfs over a full
 * pull from docker-registry, image by image, and in turns who is first. Both have an S3 server of their own on this machine.
 */
public record HelloExperiment(Map<String, String> mountOptions, Set<String> only, Narrator narrator) {
    private static final String WORKSPACE = "packing-hello";
    /** What programs that run need, beside what {@code experiment images} stores. */
    private static final List<String> LIBRARIES = List.of("libcrypt1");

    public HelloExperiment {
        mountOptions = Map.copyOf(mountOptions);
        only = Set.copyOf(only);
    }

    /**
     * One image.
     *
     * @param bytes of its layers
     * @param readBytes bytes that the store gave for our pull and first run
     * @param isWrong whether a run failed, or the sides printed different things
     */
    public record ImageResult(
            String name,
            long bytes,
            HelloTimes peer,
            HelloTimes ours,
            @JsonProperty("read_bytes") long readBytes,
            @JsonProperty("wrong") boolean isWrong) {
        double readFraction() {
            return (double) readBytes / bytes;
        }

        double deploymentSpeedup() {
            return peer.deployment() / ours.deployment();
        }

        double developmentSpeedup() {
            return peer.development() / ours.development();
        }
    }

    /** All of it: medians over images, and each image. */
    public record Result(
            int images,
            HelloTimes peer,
            HelloTimes ours,
            @JsonProperty("deployment_speedup_p50") double deploymentSpeedup,
            @JsonProperty("development_speedup_p50") double developmentSpeedup,
            @JsonProperty("read_fraction_p50") double readFraction,
            long wrong,
            @JsonProperty("per_image") List<ImageResult> perImage) {
        public Result {
            perImage = List.copyOf(perImage);
        }

        static Result of(List<ImageResult> all) {
            return new Result(
                    all.size(),
                    HelloTimes.medians(all.stream().map(ImageResult::peer).toList()),
                    HelloTimes.medians(all.stream().map(ImageResult::ours).toList()),
                    median(all, ImageResult::deploymentSpeedup),
                    median(all, ImageResult::developmentSpeedup),
                    median(all, ImageResult::readFraction),
                    all.stream().filter(ImageResult::isWrong).count(),
                    all);
        }

        private static double median(List<ImageResult> all, ToDoubleFunction<ImageResult> of) {
            return Median.of(all.stream().map(of::applyAsDouble).toList());
        }

        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf("%-12s %8s %8s %8s %8s%n", "", "push s", "pull s", "run s", "rerun s");
            for (ImageResult each : perImage) {
                line(out, each.name(), each.peer());
                line(out, "  ours", each.ours());
            }
            line(out, "median", peer);
            line(out, "  ours", ours);
            out.printf("deployment (pull, run): %.1f times as fast%n", deploymentSpeedup);
            out.printf("development (push, pull, run): %.1f times as fast%n", developmentSpeedup);
            out.printf("read from the store for a start: %.1f %% of the image%n", 100 * readFraction);
            out.printf("%d of %d images wrong%n", wrong, images);
        }

        private static void line(PrintWriter out, String name, HelloTimes times) {
            out.printf(
                    "%-12s %8.2f %8.2f %8.2f %8.2f%n",
                    name, times.pushS(), times.pullS(), times.runS(), times.rerunS());
        }
    }

    /** Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so. */
    public Result run() throws IOException, InterruptedException {
        Set<String> chosen = chosen();
        if (!FuseMount.isPossible()) {
            throw new IllegalArgumentException("/dev/fuse cannot be opened: load the fuse module, and run as root");
        }
        PeerRegistry.check();
        Programs.check("unshare", "apt-get install util-linux");
        DebianImages.check();
        try (Workspace built = Workspace.create(WORKSPACE);
                Workspace theirs = Workspace.create(WORKSPACE);
                Workspace mine = Workspace.create(WORKSPACE)) {
            List<ImageSet.Image> images = DebianImages.build(built.directory(), chosen, LIBRARIES, narrator)
                    .images();
            S3Process s3 = S3Process.start(theirs, S3Process.Limits.NONE);
            EngineRig rig = EngineRig.start(mine, S3Process.Limits.NONE, 1, mountOptions);
            List<ImageResult> results = new ArrayList<>();
            try (OverlaySide peer = new OverlaySide(theirs, s3);
                    CloneSide ours = new CloneSide(mine, rig)) {
                for (ImageSet.Image image : images) {
                    narrator.accept("image " + image.name());
                    results.add(measure(image, peer, ours, results.size() % 2 == 0, built.directory()));
                }
            }
            return Result.of(results);
        }
    }

    private Set<String> chosen() {
        Set<String> unknown = new TreeSet<>(only);
        unknown.removeAll(DebianImages.names());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("no image is called %s; there are %s"
                    .formatted(String.join(", ", unknown), String.join(", ", DebianImages.names())));
        }
        return only.isEmpty() ? DebianImages.names() : only;
    }

    private ImageResult measure(ImageSet.Image image, OverlaySide peer, CloneSide ours, boolean peerFirst, Path logs)
            throws IOException, InterruptedException {
        Run theirs = new Run(peer, image, logs);
        Run mine = new Run(ours, image, logs);
        if (peerFirst) {
            theirs.all(() -> {});
        }
        mine.push();
        ours.settle();
        long before = ours.storeBytesRead();
        long[] read = new long[1];
        mine.pullAndRun(() -> read[0] = ours.storeBytesRead() - before);
        if (!peerFirst) {
            theirs.all(() -> {});
        }
        boolean isWrong = theirs.isWrong() || !mine.isLike(theirs);
        if (isWrong) {
            narrator.accept("image %s is wrong: peer %s, ours %s".formatted(image.name(), theirs.runs, mine.runs));
        }
        long bytes = image.layers().stream().mapToLong(ImageSet.Blob::size).sum();
        return new ImageResult(image.name(), bytes, theirs.times(), mine.times(), read[0], isWrong);
    }

    /** The steps of one side with one image, and what they took. */
    private static final class Run {
        /** Something that is done between two steps. */
        interface Pause {
            void run() throws IOException, InterruptedException;
        }

        private final HelloSide side;
        private final ImageSet.Image image;
        private final Path log;
        private final List<ContainerRun> runs = new ArrayList<>();
        private double pushS;
        private double pullS;
        private final List<Double> runS = new ArrayList<>();

        Run(HelloSide side, ImageSet.Image image, Path logs) {
            this.side = side;
            this.image = image;
            this.log = logs.resolve("container.log");
        }

        void all(Pause afterFirst) throws IOException, InterruptedException {
            push();
            pullAndRun(afterFirst);
        }

        void push() throws IOException, InterruptedException {
            long start = System.nanoTime();
            side.push(image);
            pushS = since(start);
        }

        void pullAndRun(Pause afterFirst) throws IOException, InterruptedException {
            long start = System.nanoTime();
            side.pull(image);
            pullS = since(start);
            runOnce();
            afterFirst.run();
            runOnce();
        }

        private void runOnce() throws IOException, InterruptedException {
            long start = System.nanoTime();
            runs.add(ContainerRun.of(side.start(image), log, HelloProgram.of(image)));
            runS.add(since(start));
            side.stop();
        }

        private static double since(long start) {
            return (System.nanoTime() - start) / 1e9;
        }

        HelloTimes times() {
            return new HelloTimes(pushS, pullS, runS.get(0), runS.get(1));
        }

        boolean isWrong() {
            return runs.stream().anyMatch(run -> run.exit() != 0);
        }

        boolean isLike(Run other) {
            return runs.equals(other.runs);
        }
    }
}
