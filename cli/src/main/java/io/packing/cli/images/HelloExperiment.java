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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * HelloBench in a small form (Slacker §4.1): each image is pushed, pulled and run twice, by our layers and by overlayfs over a full
 * pull from docker-registry, image by image, and in turns who is first. Both have an S3 server of their own on this machine.
 */
public record HelloExperiment(
        Map<String, String> mountOptions, Set<String> only, int rounds, boolean stock, Narrator narrator) {
    private static final String WORKSPACE = "packing-hello";
    /** Of a fresh container each; the median counts. */
    private static final int RERUNS = 3;
    /** Containers of one image that run beside each other. */
    private static final int CONTAINERS = 8;
    /** What programs that run need, beside what {@code experiment images} stores: libraries of redis, curl, perl, nginx and ruby. */
    private static final List<String> LIBRARIES = List.of(
            "libcrypt1",
            "libatomic1",
            "liblzf1",
            "liblzma5",
            "liblz4-1",
            "libzstd1",
            "libcap2",
            "libgcrypt20",
            "libgpg-error0",
            "libbrotli1",
            "libnghttp2-14",
            "libidn2-0",
            "libunistring2",
            "libpsl5",
            "librtmp1",
            "libgssapi-krb5-2",
            "libkrb5-3",
            "libk5crypto3",
            "libkrb5support0",
            "libcom-err2",
            "libkeyutils1",
            "libsasl2-2",
            "libgnutls30",
            "libp11-kit0",
            "libtasn1-6",
            "libnettle8",
            "libhogweed6",
            "libffi8");

    public HelloExperiment {
        mountOptions = Map.copyOf(mountOptions);
        only = Set.copyOf(only);
        if (rounds < 1) {
            throw new IllegalArgumentException("%d rounds: at least 1".formatted(rounds));
        }
    }

    /**
     * One image.
     *
     * @param bytes of its layers
     * @param readBytes bytes that the store gave for our pull and first run
     * @param rerunReadBytes bytes that it gave for all our second runs
     * @param writtenBytes bytes of files that our first run wrote or copied up
     * @param publishS seconds that go on behind our push, until the image has layers and the layers have trees
     * @param isWrong whether a run failed, or the sides printed different things
     */
    public record ImageResult(
            String name,
            long bytes,
            HelloTimes peer,
            HelloTimes ours,
            @JsonProperty("read_bytes") long readBytes,
            @JsonProperty("rerun_read_bytes") long rerunReadBytes,
            @JsonProperty("written_bytes") long writtenBytes,
            @JsonProperty("publish_s") double publishS,
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

        double rerunRatio() {
            return ours.rerunS() / peer.rerunS();
        }

        /** The medians of the rounds of one image. */
        static ImageResult medians(List<ImageResult> rounds) {
            ImageResult first = rounds.get(0);
            return new ImageResult(
                    first.name(),
                    first.bytes(),
                    HelloTimes.medians(rounds.stream().map(ImageResult::peer).toList()),
                    HelloTimes.medians(rounds.stream().map(ImageResult::ours).toList()),
                    median(rounds, ImageResult::readBytes),
                    median(rounds, ImageResult::rerunReadBytes),
                    median(rounds, ImageResult::writtenBytes),
                    Median.of(rounds.stream().map(ImageResult::publishS).toList()),
                    rounds.stream().anyMatch(ImageResult::isWrong));
        }

        private static long median(List<ImageResult> rounds, ToDoubleFunction<ImageResult> of) {
            return Math.round(Median.of(rounds.stream().map(of::applyAsDouble).toList()));
        }
    }

    /** All of it: medians over images, and each image. */
    public record Result(
            int images,
            HelloTimes peer,
            HelloTimes ours,
            @JsonProperty("deployment_speedup_p50") double deploymentSpeedup,
            @JsonProperty("development_speedup_p50") double developmentSpeedup,
            @JsonProperty("rerun_ratio_p50") double rerunRatio,
            @JsonProperty("read_fraction_p50") double readFraction,
            @JsonProperty("peer_transferred_bytes_p50") double peerTransferred,
            @JsonProperty("transferred_bytes_p50") double transferred,
            @JsonProperty("publish_s_p50") double publishS,
            long wrong,
            SharedContainers shared,
            @JsonProperty("per_image") List<ImageResult> perImage) {
        public Result {
            perImage = List.copyOf(perImage);
        }

        static Result of(List<ImageResult> all, SharedContainers shared) {
            return new Result(
                    all.size(),
                    HelloTimes.medians(all.stream().map(ImageResult::peer).toList()),
                    HelloTimes.medians(all.stream().map(ImageResult::ours).toList()),
                    median(all, ImageResult::deploymentSpeedup),
                    median(all, ImageResult::developmentSpeedup),
                    median(all, ImageResult::rerunRatio),
                    median(all, ImageResult::readFraction),
                    median(all, ImageResult::bytes),
                    median(all, ImageResult::readBytes),
                    median(all, ImageResult::publishS),
                    all.stream().filter(ImageResult::isWrong).count(),
                    shared,
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
            out.printf("second run: %.2f of the peer's time%n", rerunRatio);
            out.printf("layers and trees behind a push: %.2f s%n", publishS);
            out.printf("read from the store for a start: %.1f %% of the image%n", 100 * readFraction);
            out.printf(
                    "%d containers of one image: %.3f of the page cache of one, %.3f of its reads of the store%n",
                    shared.containers(), shared.cachedRatio(), shared.readRatio());
            out.printf("%d of %d images wrong%n", wrong, images);
        }

        private static void line(PrintWriter out, String name, HelloTimes times) {
            out.printf(
                    "%-12s %8.2f %8.2f %8.2f %8.2f%n",
                    name, times.pushS(), times.pullS(), times.runS(), times.rerunS());
        }
    }

    /**
     * Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so.
     *
     * @param report the directory of a report of all numbers beside the paper's; empty: there is none
     */
    public Result run(Optional<Path> report) throws IOException, InterruptedException {
        Set<String> chosen = chosen();
        if (!FuseMount.isPossible()) {
            throw new IllegalArgumentException("/dev/fuse cannot be opened: load the fuse module, and run as root");
        }
        PeerRegistry.check();
        Programs.check("unshare", "apt-get install util-linux");
        Programs.check("fincore", "apt-get install util-linux");
        DebianImages.check();
        try (Workspace built = Workspace.create(WORKSPACE)) {
            ImageSet set = DebianImages.build(built.directory(), chosen, LIBRARIES, narrator);
            List<ImageSet.Image> images = set.images();
            Map<String, List<ImageResult>> byImage = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                for (ImageResult each : round(built, images, round)) {
                    byImage.computeIfAbsent(each.name(), unused -> new ArrayList<>())
                            .add(each);
                }
            }
            Result result = Result.of(
                    byImage.values().stream().map(ImageResult::medians).toList(), shared(built, images.get(0)));
            if (report.isPresent()) {
                narrator.accept("looking at the bytes of the images");
                HelloPage.write(result, ImageStudy.of(set), report.get());
            }
            return result;
        }
    }

    /** Containers of an image, over a store where it is the only one. */
    private SharedContainers shared(Workspace built, ImageSet.Image image) throws IOException, InterruptedException {
        narrator.accept("%d containers of %s".formatted(CONTAINERS, image.name()));
        try (Workspace mine = Workspace.create(WORKSPACE)) {
            EngineRig rig = EngineRig.start(mine, S3Process.Limits.NONE, 1, mountOptions);
            try (CloneSide ours = new CloneSide(mine, rig, stock)) {
                ours.build(image);
                ours.push(image);
                ours.settle();
                return SharedContainers.run(
                        ours, image, CONTAINERS, built.directory().resolve("container.log"));
            }
        }
    }

    /** All images once, on both sides, over stores that are empty. */
    private List<ImageResult> round(Workspace built, List<ImageSet.Image> images, int round)
            throws IOException, InterruptedException {
        try (Workspace theirs = Workspace.create(WORKSPACE);
                Workspace mine = Workspace.create(WORKSPACE)) {
            S3Process s3 = S3Process.start(theirs, S3Process.Limits.NONE);
            EngineRig rig = EngineRig.start(mine, S3Process.Limits.NONE, 1, mountOptions);
            List<ImageResult> results = new ArrayList<>();
            try (OverlaySide peer = new OverlaySide(theirs, s3, false);
                    CloneSide ours = new CloneSide(mine, rig, stock)) {
                for (ImageSet.Image image : images) {
                    narrator.accept("round %d, image %s".formatted(round + 1, image.name()));
                    boolean peerFirst = (results.size() + round) % 2 == 0;
                    results.add(measure(image, peer, ours, peerFirst, built.directory()));
                }
            }
            return results;
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
        peer.build(image);
        ours.build(image);
        if (peerFirst) {
            theirs.push();
            theirs.pullAndRun(() -> {});
        }
        mine.push();
        double settled = mine.settle();
        long before = ours.storeBytesRead();
        long[] read = new long[1];
        long[] written = new long[1];
        mine.pullAndRun(() -> {
            read[0] = ours.storeBytesRead() - before;
            written[0] = ours.writtenBytes();
        });
        long rerunRead = ours.storeBytesRead() - before - read[0];
        double published = settled + mine.time(() -> ours.publish(image));
        if (!peerFirst) {
            theirs.push();
            theirs.pullAndRun(() -> {});
        }
        boolean isWrong = theirs.isWrong() || !mine.isLike(theirs);
        if (isWrong) {
            narrator.accept("image %s is wrong: peer %s, ours %s".formatted(image.name(), theirs.runs, mine.runs));
        }
        long bytes = image.layers().stream().mapToLong(ImageSet.Blob::size).sum();
        return new ImageResult(
                image.name(), bytes, theirs.times(), mine.times(), read[0], rerunRead, written[0], published, isWrong);
    }

    /** The steps of one side with one image, and what they took. */
    private static final class Run {
        /** A step, or something that is done between two of them. */
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

        double time(Pause step) throws IOException, InterruptedException {
            long start = System.nanoTime();
            step.run();
            return (System.nanoTime() - start) / 1e9;
        }

        void push() throws IOException, InterruptedException {
            pushS = time(() -> side.push(image));
        }

        double settle() throws IOException, InterruptedException {
            return time(side::settle);
        }

        void pullAndRun(Pause afterFirst) throws IOException, InterruptedException {
            pullS = time(() -> side.pull(image));
            runOnce();
            afterFirst.run();
            for (int i = 0; i < RERUNS; i++) {
                runOnce();
            }
        }

        private void runOnce() throws IOException, InterruptedException {
            runS.add(time(() -> runs.add(ContainerRun.of(side.start(image), log, HelloProgram.of(image)))));
            side.stop();
        }

        HelloTimes times() {
            return new HelloTimes(pushS, pullS, runS.get(0), Median.of(runS.subList(1, runS.size())));
        }

        boolean isWrong() {
            return runs.stream().anyMatch(run -> run.exit() != 0);
        }

        boolean isLike(Run other) {
            return runs.equals(other.runs);
        }
    }
}
