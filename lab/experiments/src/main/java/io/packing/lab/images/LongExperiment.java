// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.lab.compare.Median;
import io.packing.process.Ports;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.storeservers.DistantWire;
import io.packing.storeservers.NetworkLink;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Servers that run for long (Slacker, Figure 5.8): each is pulled, started and asked, over our layers and over overlayfs with a full pull
 * from docker-registry, in turns who is first.
 *
 * @param only names of servers; all if empty
 * @param time for which each is asked, after a quarter of it that does not count
 */
public record LongExperiment(
        Map<String, String> mountOptions, Set<String> only, Duration time, int rounds, Narrator narrator) {
    private static final String WORKSPACE = "packing-long";
    private static final Duration START = Duration.ofMinutes(2);
    private static final long PAUSE_MILLIS = 10;
    private static final int WARM_UP = 4;

    public LongExperiment {
        mountOptions = Map.copyOf(mountOptions);
        only = Set.copyOf(only);
        only.forEach(LongServer::of);
        if (time.toSeconds() < 1 || rounds < 1) {
            throw new IllegalArgumentException("at least 1 second and 1 round");
        }
    }

    /**
     * One side's run of a server.
     *
     * @param firstAnswerS seconds from the begin of the pull to the first right answer
     * @param rate answers or transactions in a second, after the warm-up
     * @param beside processors that what serves the image used meanwhile: registries, stores, masters, workers and mounts
     * @param price the rate to that while all of these were stopped; NaN where the load itself needs them
     */
    public record ServerRun(
            @JsonProperty("first_answer_s") double firstAnswerS, double rate, double beside, double price) {
        static ServerRun medians(Collection<ServerRun> all) {
            return new ServerRun(
                    median(all, ServerRun::firstAnswerS),
                    median(all, ServerRun::rate),
                    median(all, ServerRun::beside),
                    median(all, ServerRun::price));
        }
    }

    /** A server on both sides. */
    public record ServerResult(String name, ServerRun peer, ServerRun ours) {
        /** Ours to the peer's. */
        @JsonProperty("rate_ratio")
        double rateRatio() {
            return ours.rate() / peer.rate();
        }

        /** Returns the ratio of the peer's time to the first answer to ours. */
        @JsonProperty("first_answer_speedup")
        double firstAnswerSpeedup() {
            return peer.firstAnswerS() / ours.firstAnswerS();
        }

        static ServerResult medians(List<ServerResult> rounds) {
            return new ServerResult(
                    rounds.get(0).name(),
                    ServerRun.medians(rounds.stream().map(ServerResult::peer).toList()),
                    ServerRun.medians(rounds.stream().map(ServerResult::ours).toList()));
        }
    }

    /**
     * All of it.
     *
     * @param missing servers that this machine cannot build, and why
     */
    public record Result(
            long seconds,
            @JsonProperty("rate_ratio_p50") double rateRatio,
            @JsonProperty("rate_ratio_least") double leastRateRatio,
            @JsonProperty("first_answer_speedup_p50") double firstAnswerSpeedup,
            List<ServerResult> servers,
            Map<String, String> missing) {
        public Result {
            servers = List.copyOf(servers);
            missing = Map.copyOf(missing);
        }

        static Result of(long seconds, List<ServerResult> servers, Map<String, String> missing) {
            return new Result(
                    seconds,
                    median(servers, ServerResult::rateRatio),
                    servers.stream().mapToDouble(ServerResult::rateRatio).min().orElse(Double.NaN),
                    median(servers, ServerResult::firstAnswerSpeedup),
                    servers,
                    missing);
        }

        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf(
                    "%-10s %12s %12s %8s %12s %12s %12s %14s %14s %8s%n",
                    "",
                    "peer 1/s",
                    "ours 1/s",
                    "ratio",
                    "peer beside",
                    "ours beside",
                    "ours price",
                    "peer first s",
                    "ours first s",
                    "sooner");
            for (ServerResult each : servers) {
                out.printf(
                        "%-10s %12.1f %12.1f %8.3f %12.3f %12.3f %12.3f %14.2f %14.2f %7.1fx%n",
                        each.name(),
                        each.peer().rate(),
                        each.ours().rate(),
                        each.rateRatio(),
                        each.peer().beside(),
                        each.ours().beside(),
                        each.ours().price(),
                        each.peer().firstAnswerS(),
                        each.ours().firstAnswerS(),
                        each.firstAnswerSpeedup());
            }
            missing.forEach((name, why) -> out.printf("%-10s not run: %s%n", name, why));
        }
    }

    private static <T> double median(Collection<T> all, ToDoubleFunction<T> of) {
        return all.isEmpty()
                ? Double.NaN
                : Median.of(all.stream().map(of::applyAsDouble).toList());
    }

    /** Runs it; what is missing on the machine for all servers is an {@link IllegalArgumentException} that says so. */
    public Result run() throws IOException, InterruptedException {
        if (!FuseMount.isPossible()) {
            throw new IllegalArgumentException("/dev/fuse cannot be opened: load the fuse module, and run as root");
        }
        PeerRegistry.check();
        HostPrograms.check("unshare", "apt-get install util-linux");
        AptImages.check();
        Map<String, String> missing = new TreeMap<>();
        Map<LongServer, ImageSet.Image> images = new LinkedHashMap<>();
        try (Workspace built = Workspace.create(WORKSPACE)) {
            AptImages apt = new AptImages(built.directory());
            for (String name : only.isEmpty() ? LongServer.names() : only) {
                narrator.accept("building image " + name);
                try {
                    images.put(
                            LongServer.of(name), apt.build(LongServer.of(name).recipe()));
                } catch (IllegalArgumentException e) {
                    missing.put(name, String.valueOf(e.getMessage()));
                }
            }
            List<ServerResult> results = new ArrayList<>();
            for (Map.Entry<LongServer, ImageSet.Image> each : images.entrySet()) {
                List<ServerResult> all = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    narrator.accept("%s, round %d".formatted(each.getValue().name(), round + 1));
                    boolean peerFirst = (results.size() + round) % 2 == 0;
                    all.add(measure(each.getKey(), each.getValue(), peerFirst, built.directory()));
                }
                results.add(ServerResult.medians(all));
            }
            return Result.of(time.toSeconds(), results, missing);
        }
    }

    /** One server on both sides, over stores that are empty. */
    private ServerResult measure(LongServer server, ImageSet.Image image, boolean peerFirst, Path logs)
            throws IOException, InterruptedException {
        ServerRun[] peer = new ServerRun[1];
        ServerRun[] ours = new ServerRun[1];
        for (boolean isPeer : new boolean[] {peerFirst, !peerFirst}) {
            try (DistantWire none = new DistantWire(NetworkLink.NONE);
                    Workspace workspace = Workspace.create(WORKSPACE)) {
                if (isPeer) {
                    S3Process s3 = S3Process.start(workspace, S3Process.Limits.NONE);
                    HelloSide side = workspace.own(new OverlaySide(workspace, s3, false, none));
                    peer[0] = run(side, server, image, logs);
                } else {
                    EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, mountOptions);
                    HelloSide side = workspace.own(new CloneSide(workspace, rig, true, none));
                    ours[0] = run(side, server, image, logs);
                }
            }
        }
        return new ServerResult(server.name(), peer[0], ours[0]);
    }

    private ServerRun run(HelloSide side, LongServer server, ImageSet.Image image, Path logs)
            throws IOException, InterruptedException {
        side.build(image);
        side.push(image);
        side.settle();
        int port = Ports.free(1).get(0);
        long begin = System.nanoTime();
        side.pull(image);
        Path root = side.start(image);
        try (Container container = Container.start(
                root, logs.resolve("server.log"), Map.of("PORT", Integer.toString(port)), server.script())) {
            awaitAnswer(container, server, port);
            double first = (System.nanoTime() - begin) / 1e9;
            Path log = logs.resolve("load.log");
            Duration warmUp = Duration.ofSeconds(Math.max(1, time.toSeconds() / WARM_UP));
            double unused = server.load().rate(root, log, port, warmUp);
            Beside beside = new Beside(container);
            Duration before = beside.processorTime();
            long start = System.nanoTime();
            double rate = server.load().rate(root, log, port, time);
            double used = (double) beside.processorTime().minus(before).toNanos() / (System.nanoTime() - start);
            double price = server.load().isOutside()
                    ? beside.price(slice -> server.load().rate(root, log, port, slice), time)
                    : Double.NaN;
            return new ServerRun(first, rate, used, price);
        } finally {
            side.stop();
        }
    }

    private static void awaitAnswer(Container container, LongServer server, int port)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            try {
                server.load().once(port);
                return;
            } catch (IOException e) {
                if (!container.process().isAlive() || System.nanoTime() - begin > START.toNanos()) {
                    throw new IOException(
                            "%s does not answer: %s; it says: %s".formatted(server.name(), e, container.lastSaid()), e);
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
