// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.lab.compare.Median;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.storeservers.DistantWire;
import io.packing.storeservers.NetworkLink;
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
 * pull from docker-registry, image by image, and in turns who is first. Both have an S3 server of their own on this machine. An image is
 * started twice by ours, on two machines: first without records of a start's reads, then with them.
 *
 * @param link between the machines that start containers and their servers
 */
public record HelloExperiment(
        Map<String, String> mountOptions,
        Set<String> only,
        int rounds,
        boolean stock,
        NetworkLink link,
        Narrator narrator) {
    private static final String WORKSPACE = "packing-hello";
    /** Containers of one image that run beside each other. */
    private static final int CONTAINERS = 8;

    public HelloExperiment {
        mountOptions = Map.copyOf(mountOptions);
        only = Set.copyOf(only);
        if (rounds < 1) {
            throw new IllegalArgumentException("%d rounds: at least 1".formatted(rounds));
        }
    }

    /**
     * The first start of an image by ours anywhere, without records of a start's reads.
     *
     * @param pullS seconds of the pull
     * @param runS seconds of the run
     * @param readBytes bytes that the store gave for both
     */
    public record FirstStart(
            @JsonProperty("pull_s") double pullS,
            @JsonProperty("run_s") double runS,
            @JsonProperty("read_bytes") long readBytes) {
        double deployment() {
            return pullS + runS;
        }

        static FirstStart medians(List<FirstStart> all) {
            return new FirstStart(
                    Median.of(all.stream().map(FirstStart::pullS).toList()),
                    Median.of(all.stream().map(FirstStart::runS).toList()),
                    Math.round(Median.of(
                            all.stream().map(each -> (double) each.readBytes()).toList())));
        }
    }

    /**
     * One image.
     *
     * @param bytes of its layers
     * @param ours when it is known what a start reads, since the image was started on another machine
     * @param first that start on the other machine
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
            FirstStart first,
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

        /** The speedup of a pull that takes no time, and a run that takes as long as the peer's second one. */
        @JsonProperty("limit")
        double deploymentLimit() {
            return peer.deployment() / peer.rerunS();
        }

        double firstDeploymentSpeedup() {
            return peer.deployment() / first.deployment();
        }

        /** Returns the speedup of a push and a first start: an image just pushed was never started. */
        double developmentSpeedup() {
            return peer.development() / (ours.pushS() + first.deployment());
        }

        double firstReadFraction() {
            return (double) first.readBytes() / bytes;
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
                    FirstStart.medians(rounds.stream().map(ImageResult::first).toList()),
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
            FirstStart first,
            @JsonProperty("round_trip_ms") double roundTripMillis,
            @JsonProperty("bytes_per_s") long bytesPerSecond,
            @JsonProperty("deployment_speedup_p50") double deploymentSpeedup,
            @JsonProperty("first_deployment_speedup_p50") double firstDeploymentSpeedup,
            @JsonProperty("deployment_limit_p50") double deploymentLimit,
            @JsonProperty("development_speedup_p50") double developmentSpeedup,
            @JsonProperty("rerun_ratio_p50") double rerunRatio,
            @JsonProperty("read_fraction_p50") double readFraction,
            @JsonProperty("first_read_fraction_p50") double firstReadFraction,
            @JsonProperty("peer_transferred_bytes_p50") double peerTransferred,
            @JsonProperty("transferred_bytes_p50") double transferred,
            @JsonProperty("publish_s_p50") double publishS,
            long wrong,
            SharedContainers shared,
            @JsonProperty("per_image") List<ImageResult> perImage) {
        public Result {
            perImage = List.copyOf(perImage);
        }

        static Result of(List<ImageResult> all, NetworkLink link, SharedContainers shared) {
            return new Result(
                    all.size(),
                    HelloTimes.medians(all.stream().map(ImageResult::peer).toList()),
                    HelloTimes.medians(all.stream().map(ImageResult::ours).toList()),
                    FirstStart.medians(all.stream().map(ImageResult::first).toList()),
                    link.roundTrip().toNanos() / 1e6,
                    link.bytesPerSecond(),
                    median(all, ImageResult::deploymentSpeedup),
                    median(all, ImageResult::firstDeploymentSpeedup),
                    median(all, ImageResult::deploymentLimit),
                    median(all, ImageResult::developmentSpeedup),
                    median(all, ImageResult::rerunRatio),
                    median(all, ImageResult::readFraction),
                    median(all, ImageResult::firstReadFraction),
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
            out.printf(
                    "%-12s %8s %8s %8s %8s %10s %8s%n",
                    "", "push s", "pull s", "run s", "rerun s", "1st run s", "limit");
            for (ImageResult each : perImage) {
                line(out, each.name(), each.peer(), "", "");
                line(out, "  ours", each.ours(), seconds(each.first()), "%.1f".formatted(each.deploymentLimit()));
            }
            line(out, "median", peer, "", "");
            line(out, "  ours", ours, seconds(first), "%.1f".formatted(deploymentLimit));
            out.printf(
                    "between starts and servers: %s ms, %s%n",
                    roundTripMillis, bytesPerSecond == 0 ? "no limit" : "%d bytes/s".formatted(bytesPerSecond));
            out.printf("deployment (pull, run): %.1f times as fast%n", deploymentSpeedup);
            out.printf("deployment of what nobody has started before: %.1f times as fast%n", firstDeploymentSpeedup);
            out.printf("development (push, pull, run): %.1f times as fast%n", developmentSpeedup);
            out.printf("second run: %.2f of the peer's time%n", rerunRatio);
            out.printf("layers and trees behind a push: %.2f s%n", publishS);
            out.printf(
                    "read from the store for a start: %.1f %% of the image; for the first anywhere: %.1f %%%n",
                    100 * readFraction, 100 * firstReadFraction);
            out.printf(
                    "%d containers of one image: %.3f of the page cache of one, %.3f of its reads of the store%n",
                    shared.containers(), shared.cachedRatio(), shared.readRatio());
            out.printf("%d of %d images wrong%n", wrong, images);
        }

        private static String seconds(FirstStart first) {
            return "%.3f".formatted(first.runS());
        }

        private static void line(PrintWriter out, String name, HelloTimes times, String first, String limit) {
            out.printf(
                    "%-12s %8.3f %8.3f %8.3f %8.3f %10s %8s%n",
                    name, times.pushS(), times.pullS(), times.runS(), times.rerunS(), first, limit);
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
        HostPrograms.check("unshare", "apt-get install util-linux");
        HostPrograms.check("fincore", "apt-get install util-linux");
        DebianImages.check();
        try (Workspace built = Workspace.create(WORKSPACE)) {
            return run(DebianImages.build(built.directory(), chosen, HelloProgram.LIBRARIES, narrator), built, report);
        }
    }

    /** Runs it with images that are there already; the workspace gets the logs of containers. */
    Result run(ImageSet set, Workspace built, Optional<Path> report) throws IOException, InterruptedException {
        List<ImageSet.Image> images = set.images();
        Map<String, List<ImageResult>> byImage = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (ImageResult each : round(built, images, round)) {
                byImage.computeIfAbsent(each.name(), unused -> new ArrayList<>())
                        .add(each);
            }
        }
        Result result = Result.of(
                byImage.values().stream().map(ImageResult::medians).toList(), link, shared(built, images.get(0)));
        if (report.isPresent()) {
            narrator.accept("looking at the bytes of the images");
            HelloPage.write(result, ImageStudy.of(set), report.get());
        }
        return result;
    }

    /** Containers of an image, over a store where it is the only one. */
    private SharedContainers shared(Workspace built, ImageSet.Image image) throws IOException, InterruptedException {
        narrator.accept("%d containers of %s".formatted(CONTAINERS, image.name()));
        try (DistantWire none = new DistantWire(NetworkLink.NONE);
                Workspace mine = Workspace.create(WORKSPACE)) {
            EngineRig rig = EngineRig.start(mine, S3Process.Limits.NONE, 1, mountOptions);
            CloneSide ours = mine.own(new CloneSide(mine, rig, stock, none));
            ours.build(image);
            ours.push(image);
            ours.settle();
            return SharedContainers.run(
                    ours, image, CONTAINERS, built.directory().resolve("container.log"));
        }
    }

    /** All images once, on both sides, over stores that are empty. */
    private List<ImageResult> round(Workspace built, List<ImageSet.Image> images, int round)
            throws IOException, InterruptedException {
        try (DistantWire wire = new DistantWire(link);
                Workspace theirs = Workspace.create(WORKSPACE);
                Workspace mine = Workspace.create(WORKSPACE)) {
            S3Process s3 = S3Process.start(theirs, S3Process.Limits.NONE);
            EngineRig rig = EngineRig.start(mine, S3Process.Limits.NONE, 1, mountOptions, wire);
            List<ImageResult> results = new ArrayList<>();
            OverlaySide peer = theirs.own(new OverlaySide(theirs, s3, false, wire));
            CloneSide ours = mine.own(new CloneSide(mine, rig, stock, wire));
            // The other machine is there before the first image, as this one is.
            ours.go(true);
            ours.go(false);
            for (ImageSet.Image image : images) {
                narrator.accept("round %d, image %s".formatted(round + 1, image.name()));
                boolean peerFirst = (results.size() + round) % 2 == 0;
                results.add(measure(image, peer, ours, peerFirst, built.directory()));
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
        HelloRun theirs = new HelloRun(peer, image, logs);
        HelloRun mine = new HelloRun(ours, image, logs);
        peer.build(image);
        ours.build(image);
        if (peerFirst) {
            theirs.push();
            theirs.pullAndRun(() -> {});
        }
        mine.push();
        double settled = mine.settle();
        ours.go(true);
        FirstStart first = mine.startFirst(ours::storeBytesRead);
        ours.go(false);
        if (!ours.awaitStart(image)) {
            narrator.accept("what a start of %s reads was not kept".formatted(image.name()));
        }
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
            narrator.accept("image %s is wrong: peer %s, ours %s".formatted(image.name(), theirs.said(), mine.said()));
        }
        long bytes = image.layers().stream().mapToLong(ImageSet.Blob::size).sum();
        return new ImageResult(
                image.name(),
                bytes,
                theirs.times(),
                mine.times(),
                first,
                read[0],
                rerunRead,
                written[0],
                published,
                isWrong);
    }
}
