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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/**
 * Writes and reads of small objects at the gateway and at another server, in turns, on one disk.
 *
 * @param peer the other server; SeaweedFS and versitygw do not sync, MinIO does
 * @param durability of the gateway's mount, to compare like with like
 * @param rounds turns of each server
 * @param size bytes of an object
 */
public record GatewayBench(
        ServerKind peer,
        String durability,
        int clients,
        Duration duration,
        int rounds,
        int size,
        Map<String, String> mountOptions,
        Narrator narrator) {
    private static final String ACCESS = ServerKind.ACCESS_KEY;
    private static final String SECRET = ServerKind.SECRET_KEY + "-of-the-gateway";

    /** The figures of a turn. */
    public record Turn(
            String server,
            int round,
            @JsonProperty("puts_per_s") double puts,
            @JsonProperty("gets_per_s") double gets) {}

    /**
     * All of it.
     *
     * @param putRatio of the gateway's mean puts to the peer's
     */
    public record Result(
            List<Turn> turns,
            String peer,
            String durability,
            int clients,
            int size,
            @JsonProperty("put_ratio") double putRatio,
            @JsonProperty("get_ratio") double getRatio) {
        public Result {
            turns = List.copyOf(turns);
        }

        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf("%d clients, objects of %,d bytes, mount %s%n", clients, size, durability);
            out.printf("%-12s %6s %12s %12s%n", "server", "round", "puts/s", "gets/s");
            turns.forEach(turn ->
                    out.printf("%-12s %6d %,12.0f %,12.0f%n", turn.server(), turn.round(), turn.puts(), turn.gets()));
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
                Side other = new Side(peer.toString(), server.endpoint(), ServerKind.SECRET_KEY);
                makeBucket(own);
                List<Turn> turns = new ArrayList<>();
                // Round 0 warms both up and is not told.
                for (int round = 0; round <= rounds; round++) {
                    List<Side> order = round % 2 == 0 ? List.of(own, other) : List.of(other, own);
                    for (Side side : order) {
                        narrator.accept("round %d of %s".formatted(round, side.name()));
                        Turn turn = play(side, round);
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

    private Turn play(Side side, int round) throws IOException, InterruptedException {
        int[] written = new int[clients];
        double puts = perSecond(side, (client, number) -> {
            byte[] bytes = new byte[size];
            new SplittableRandom(number).nextBytes(bytes);
            int count = 0;
            for (long end = System.nanoTime() + duration.toNanos(); System.nanoTime() < end; count++) {
                client.put(path(round, number, count), bytes);
            }
            written[number] = count;
            return count;
        });
        double gets = perSecond(side, (client, number) -> {
            SplittableRandom random = new SplittableRandom(number);
            int count = 0;
            for (long end = System.nanoTime() + duration.toNanos(); System.nanoTime() < end; count++) {
                byte[] bytes = client.get(path(round, number, random.nextInt(written[number])));
                if (bytes.length != size) {
                    throw new IOException("an object of %d bytes".formatted(bytes.length));
                }
            }
            return count;
        });
        return new Turn(side.name(), round, puts, gets);
    }

    private static String path(int round, int client, int number) {
        return "/%s/r%d/c%d/%d/%d".formatted(ServerKind.BUCKET, round, client, number / 100, number);
    }

    /** The work of a client; it returns the number of its requests. */
    private interface Work {
        int run(SmallObjects client, int number) throws IOException;
    }

    private double perSecond(Side side, Work work) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
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
            return requests / (Duration.ofNanos(System.nanoTime() - begin).toMillis() / 1e3);
        } finally {
            threads.shutdownNow();
        }
    }
}
