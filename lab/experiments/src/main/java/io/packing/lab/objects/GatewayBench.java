// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.rig.DirectoryRig;
import io.packing.rig.Workspace;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Writes and reads of small objects at the gateway and at another server, in turns, on one disk.
 *
 * @param peer the other server; SeaweedFS syncs when the mount does more than buffer, MinIO always, versitygw never
 * @param durability of the gateway's mount, to compare like with like
 * @param duration of the puts, and of the gets, of a turn
 * @param warmUp puts, and gets, of each server before the first turn
 * @param rounds turns of each server
 * @param size bytes of an object
 */
public record GatewayBench(
        ServerKind peer,
        String durability,
        int clients,
        Duration duration,
        int warmUp,
        int rounds,
        int size,
        Map<String, String> mountOptions,
        Narrator narrator) {
    private static final String ACCESS = ServerKind.ACCESS_KEY;
    private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(10);
    private static final String BUFFERED = "buffered";
    /** A method that is rarer than one in so many puts is none of the puts. */
    private static final double LEAST_REQUESTS = 0.001;

    private static final String SECRET = ServerKind.SECRET_KEY + "-of-the-gateway";

    /**
     * The figures of a turn.
     *
     * @param putMillis time of processors in the server's processes for a put
     * @param getMillis that time for a get
     */
    public record Turn(
            String server,
            int round,
            @JsonProperty("puts_per_s") double puts,
            @JsonProperty("gets_per_s") double gets,
            @JsonProperty("put_cpu_ms") double putMillis,
            @JsonProperty("get_cpu_ms") double getMillis) {}

    /** The end of a client's work: after so many requests, and at the latest when this time has passed. */
    private record Until(int requests, Duration time) {
        static Until passed(Duration time) {
            return new Until(Integer.MAX_VALUE, time);
        }
    }

    /** The rate of requests, and what one takes of the processors in the servers. */
    private record Rate(double perSecond, double millis) {}

    /**
     * All of it.
     *
     * @param mostPuts of the clients in a second, at a server in their own process that keeps nothing
     * @param requests to the master for a put at the gateway, by method
     * @param putRatio of the gateway's mean puts to the peer's
     */
    public record Result(
            List<Turn> turns,
            String peer,
            String durability,
            int clients,
            int size,
            @JsonProperty("most_puts_per_s") double mostPuts,
            @JsonProperty("master_requests_per_put") Map<String, Double> requests,
            @JsonProperty("put_ratio") double putRatio,
            @JsonProperty("get_ratio") double getRatio) {
        public Result {
            turns = List.copyOf(turns);
            requests = Map.copyOf(requests);
        }

        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf("%d clients, objects of %,d bytes, mount %s%n", clients, size, durability);
            out.printf(
                    "%-12s %6s %12s %12s %14s %14s%n",
                    "server", "round", "puts/s", "gets/s", "CPU ms a put", "CPU ms a get");
            turns.forEach(turn -> out.printf(
                    "%-12s %6d %,12.0f %,12.0f %14.2f %14.2f%n",
                    turn.server(), turn.round(), turn.puts(), turn.gets(), turn.putMillis(), turn.getMillis()));
            out.printf("%,.0f puts/s at a server that keeps nothing%n", mostPuts);
            requests.forEach((method, count) -> out.printf("%.3f %s at the master for a put%n", count, method));
            out.printf("%.2f times the puts of %s, %.2f times the gets%n", putRatio, peer, getRatio);
        }
    }

    /** A server and how a client signs for it. */
    private record Side(String name, URI uri, String secret) {}

    /** Runs it. */
    public Result run() throws IOException, InterruptedException {
        Map<String, String> options = new LinkedHashMap<>(mountOptions);
        options.put("packing.durability", durability);
        try (Workspace workspace = Workspace.create("packing-s3-gateway")) {
            Path home = workspace.directory();
            Path keys = Files.writeString(home.resolve("s3.keys"), "%s %s bench%n".formatted(ACCESS, SECRET));
            DirectoryRig rig = DirectoryRig.start(workspace, options);
            Side own = new Side("packing", rig.startGateway(workspace, keys), SECRET);
            try (StoreServer server = StoreServer.start(peer, home.resolve("peer"))) {
                if (peer == ServerKind.SEAWEEDFS && !durability.equals(BUFFERED)) {
                    server.syncObjects();
                }
                Side other = new Side(peer.toString(), server.endpoint(), ServerKind.SECRET_KEY);
                makeBucket(own);
                List<Turn> turns = new ArrayList<>();
                double most = mostPuts();
                // Round 0 warms both up and is not told.
                for (int round = 0; round <= rounds; round++) {
                    List<Side> order = round % 2 == 0 ? List.of(own, other) : List.of(other, own);
                    for (Side side : order) {
                        narrator.accept("round %d of %s".formatted(round, side.name()));
                        Turn turn = play(side, round, round == 0 ? warming() : Until.passed(duration));
                        if (round > 0) {
                            turns.add(turn);
                        }
                    }
                }
                return new Result(
                        turns,
                        peer.toString(),
                        durability,
                        clients,
                        size,
                        most,
                        requests(rig, own),
                        ratio(turns, own, Turn::puts),
                        ratio(turns, own, Turn::gets));
            }
        }
    }

    private static double ratio(List<Turn> turns, Side own, ToDoubleFunction<Turn> figure) {
        double mine = turns.stream()
                .filter(turn -> turn.server().equals(own.name()))
                .mapToDouble(figure)
                .sum();
        double others = turns.stream()
                .filter(turn -> !turn.server().equals(own.name()))
                .mapToDouble(figure)
                .sum();
        return mine / others;
    }

    private static void makeBucket(Side side) throws IOException {
        try (SmallObjects client = new SmallObjects(side.uri(), ACCESS, side.secret(), Clock.systemUTC())) {
            client.put("/" + ServerKind.BUCKET, new byte[0]);
        }
    }

    /** Returns the puts in a second at a server that keeps nothing. */
    private double mostPuts() throws IOException, InterruptedException {
        try (SilentServer server = SilentServer.start()) {
            Side nowhere = new Side("nowhere", server.uri(), SECRET);
            Rate unused = perSecond(nowhere, putting(0, Until.passed(duration), new int[clients]));
            return perSecond(nowhere, putting(0, Until.passed(duration), new int[clients]))
                    .perSecond();
        }
    }

    /** Counts the requests to the master during puts, by method. */
    private Map<String, Double> requests(DirectoryRig rig, Side own) throws IOException, InterruptedException {
        int[] written = new int[clients];
        Map<String, Long> before = rig.requests();
        Rate unused = perSecond(own, putting(rounds + 1, Until.passed(duration), written));
        Map<String, Long> after = rig.requests();
        int puts = IntStream.of(written).sum();
        Map<String, Double> each = new TreeMap<>();
        after.forEach((method, count) -> {
            double more = (count - before.getOrDefault(method, 0L)) / (double) puts;
            if (more > LEAST_REQUESTS) {
                each.put(method, more);
            }
        });
        return each;
    }

    private Until warming() {
        return new Until(Math.max(1, warmUp / clients), LONGEST_WARM_UP);
    }

    private Work putting(int round, Until end, int[] written) {
        return (client, number) -> {
            byte[] bytes = new byte[size];
            new SplittableRandom(number).nextBytes(bytes);
            int count = 0;
            long last = System.nanoTime() + end.time().toNanos();
            for (; count < end.requests() && System.nanoTime() < last; count++) {
                client.put(path(round, number, count), bytes);
            }
            written[number] = count;
            return count;
        };
    }

    private Turn play(Side side, int round, Until end) throws IOException, InterruptedException {
        int[] written = new int[clients];
        Rate puts = perSecond(side, putting(round, end, written));
        Rate gets = perSecond(side, (client, number) -> {
            SplittableRandom random = new SplittableRandom(number);
            int count = 0;
            long last = System.nanoTime() + end.time().toNanos();
            for (; count < end.requests() && System.nanoTime() < last; count++) {
                byte[] bytes = client.get(path(round, number, random.nextInt(written[number])));
                if (bytes.length != size) {
                    throw new IOException("an object of %d bytes".formatted(bytes.length));
                }
            }
            return count;
        });
        return new Turn(side.name(), round, puts.perSecond(), gets.perSecond(), puts.millis(), gets.millis());
    }

    private static String path(int round, int client, int number) {
        return "/%s/r%d/c%d/%d/%d".formatted(ServerKind.BUCKET, round, client, number / 100, number);
    }

    /** The work of a client; it returns the number of its requests. */
    private interface Work {
        int run(SmallObjects client, int number) throws IOException;
    }

    private Rate perSecond(Side side, Work work) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            Duration before = ServerTimes.now();
            long begin = System.nanoTime();
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int number = i;
                Callable<Integer> task = () -> {
                    try (SmallObjects client = new SmallObjects(side.uri(), ACCESS, side.secret(), Clock.systemUTC())) {
                        return work.run(client, number);
                    }
                };
                running.add(threads.submit(task));
            }
            long requests = 0;
            for (Future<Integer> each : running) {
                try {
                    requests += each.get();
                } catch (ExecutionException e) {
                    throw new IOException("a client of %s failed".formatted(side.name()), e.getCause());
                }
            }
            double seconds = Duration.ofNanos(System.nanoTime() - begin).toMillis() / 1e3;
            return new Rate(requests / seconds, ServerTimes.now().minus(before).toMillis() / (double) requests);
        } finally {
            threads.shutdownNow();
        }
    }
}
