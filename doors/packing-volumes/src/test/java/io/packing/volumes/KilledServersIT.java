// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.nbd.TestNbdClient;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import io.packing.seed.Seed;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that are killed while a client writes. A block has what the last successful flush covered, or a later write of
 * the client, and each block is whole.
 */
@Tag("hunt")
class KilledServersIT {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 512;
    private static final int ROUNDS = Integer.getInteger("packing.volume.rounds", 6);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int WRITE = 1;
    private static final int FLUSH = 3;
    private static final int TRIM = 4;
    private static final int FUA = 1;

    @TempDir
    Path home;

    private final Random random = Seed.random();
    private final Map<String, JavaProcess> servers = new LinkedHashMap<>();
    private final Map<String, List<String>> arguments = new LinkedHashMap<>();
    private int port;
    private int masterPort;
    private long stamp;
    /** The values that each block may have, in the order of their writes. */
    private final List<List<Long>> possible = new ArrayList<>();

    @BeforeEach
    void start() throws IOException, InterruptedException {
        List<Integer> ports = Ports.free(3);
        masterPort = ports.get(0);
        port = ports.get(2);
        Path unused = Files.createDirectories(home.resolve("store"));
        for (int i = 0; i < BLOCKS; i++) {
            possible.add(new ArrayList<>(List.of(0L)));
        }
        start("master", ports.get(0));
        start("worker", ports.get(1));
        try (GrpcBdts bdts = GrpcBdts.connect("127.0.0.1:" + masterPort, PATIENCE);
                Bdt bdt = bdts.open(ChildServers.options(home).raw())) {
            new VolumeFiles(bdt).create(TestMount.VOLUME, (long) BLOCK * BLOCKS);
        }
        start("volume", port);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (JavaProcess server : servers.values()) {
            server.kill();
        }
    }

    private void start(String kind, int own) throws IOException, InterruptedException {
        arguments.put(kind, List.of(kind, home.toString(), String.valueOf(masterPort), String.valueOf(own)));
        start(kind);
    }

    private void start(String kind) throws IOException, InterruptedException {
        JavaCommand command = new JavaCommand(
                        kind,
                        ChildServers.class.getName(),
                        List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                        256,
                        Map.of(),
                        Objects.requireNonNull(arguments.get(kind)))
                .brief();
        JavaProcess process = JavaProcess.start(command, home);
        servers.put(kind, process);
        String unused = process.awaitLine(ChildServers.READY, PATIENCE);
    }

    private void kill(String kind) throws InterruptedException {
        Objects.requireNonNull(servers.get(kind)).kill();
    }

    @Test
    void nothingThatAFlushCoveredIsLost() throws IOException, InterruptedException {
        List<List<String>> victims =
                List.of(List.of("volume"), List.of("worker"), List.of("master"), List.of("worker", "volume"));
        for (int round = 0; round < ROUNDS; round++) {
            List<String> killed = victims.get(round % victims.size());
            CountDownLatch synced = new CountDownLatch(1);
            long pause = random.nextInt(1_500);
            Thread killer = new Thread(() -> {
                try {
                    boolean unused = synced.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                    Thread.sleep(pause);
                    for (String each : killed) {
                        kill(each);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            killer.start();
            write(killer, synced);
            killer.join();
            assertEquals(0, synced.getCount(), "no flush of round " + round);
            for (String each : killed) {
                start(each);
            }
            verify(killed.contains("volume"));
        }
    }

    /** Writes until servers are dead. */
    private void write(Thread killer, CountDownLatch synced) {
        try (TestNbdClient client = new TestNbdClient(port).begin(true)) {
            while (killer.isAlive()) {
                if (burst(client)) {
                    synced.countDown();
                }
            }
        } catch (IOException e) {
            // The server of the volume is dead.
        }
    }

    /** Sends some changes without waiting, and a flush behind their replies; returns whether it succeeded. */
    private boolean burst(TestNbdClient client) throws IOException {
        int count = 1 + random.nextInt(32);
        boolean fua = random.nextInt(4) == 0;
        Set<Integer> blocks = new HashSet<>();
        for (int i = 0; i < count; i++) {
            int block = random.nextInt(BLOCKS);
            if (!blocks.add(block)) {
                // Two writes under way to one block may end in any order.
                continue;
            }
            boolean isTrim = random.nextInt(5) == 0;
            long value = isTrim ? 0 : ++stamp;
            possible.get(block).add(value);
            long offset = (long) block * BLOCK;
            if (isTrim) {
                client.request(fua ? FUA : 0, TRIM, block, offset, BLOCK);
            } else {
                client.request(fua ? FUA : 0, WRITE, block, offset, BLOCK, bytes(value));
            }
        }
        boolean all = true;
        for (int i = 0; i < blocks.size(); i++) {
            all &= client.reply(0).failure() == 0;
        }
        if (!fua) {
            all &= client.errorOf(0, FLUSH, 0, 0) == 0;
            if (all) {
                // Its flush covers all writes that were answered, also those of former bursts.
                possible.forEach(KilledServersIT::settle);
            }
        } else if (all) {
            blocks.forEach(block -> settle(possible.get(block)));
        }
        return all;
    }

    private static void settle(List<Long> values) {
        long last = values.get(values.size() - 1);
        values.clear();
        values.add(last);
    }

    private static byte[] bytes(long value) {
        ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
        while (bytes.hasRemaining()) {
            bytes.putLong(value);
        }
        return bytes.array();
    }

    /** @param restarted false: the server of the volume lived, and has each answered write */
    private void verify(boolean restarted) throws IOException {
        try (TestNbdClient client = new TestNbdClient(port).begin(true)) {
            for (int block = 0; block < BLOCKS; block++) {
                ByteBuffer bytes = ByteBuffer.wrap(client.read(0, (long) block * BLOCK, BLOCK));
                long value = bytes.getLong(0);
                while (bytes.hasRemaining()) {
                    assertEquals(value, bytes.getLong(), "block %d is torn".formatted(block));
                }
                List<Long> values = possible.get(block);
                if (restarted) {
                    assertTrue(
                            values.contains(value), "block %d has %d, not one of %s".formatted(block, value, values));
                    // What it has now may be all that there is; nothing says that it is synced.
                    values.add(value);
                } else {
                    assertEquals(values.get(values.size() - 1), value, "block " + block);
                }
            }
            int failure;
            int tries = 0;
            do {
                failure = client.errorOf(0, FLUSH, 0, 0);
            } while (failure != 0 && ++tries < 20);
            assertEquals(0, failure, "a flush with all servers alive");
            possible.forEach(KilledServersIT::settle);
        }
    }
}
