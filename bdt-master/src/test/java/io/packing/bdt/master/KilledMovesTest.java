// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.client.FederationClient;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import io.packing.seed.Seed;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Masters of two groups as processes, of which one or the other is killed at any moment of a move, under load. */
@Timeout(600)
@Tag("hunt")
class KilledMovesTest {
    private static final int ROUNDS = 3 * Integer.getInteger("packing.rounds", 1);
    private static final int LOADS = 3;
    private static final int MOST_MILLIS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path root;

    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Map<String, JavaProcess> running = new LinkedHashMap<>();

    private String store() {
        return "file://" + root.resolve("store");
    }

    private String address(String group) {
        return "127.0.0.1:" + ports.get(group);
    }

    private void start(String group) throws IOException, InterruptedException {
        JavaCommand command = new JavaCommand(
                "master-" + group,
                GroupMaster.class.getName(),
                List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)),
                256,
                Map.of(),
                List.of(
                        root.resolve(group).toString(),
                        String.valueOf(ports.get(group)),
                        store(),
                        "a=%s,b=%s".formatted(address("a"), address("b")),
                        group));
        JavaProcess process = JavaProcess.start(command.brief(), root);
        running.put(group, process);
        String unused = process.awaitLine("serves at", Duration.ofMinutes(1));
    }

    private static void pause(int millis) throws IOException, InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000L;
        Await.until("some time passes", () -> System.nanoTime() - end >= 0);
    }

    /** Asks until there is an answer: masters are being started. */
    private static MoveProgress move(FederationClient groups, Bdt mount, String name, String to) throws Exception {
        List<MoveProgress> seen = new ArrayList<>();
        Await.until("the mount is moved to " + to, () -> {
            try {
                boolean open = mount.stat(FilePath.ROOT).isPresent();
                assertThat(open).isTrue();
                seen.add(groups.move(name, to, true));
                return seen.get(seen.size() - 1).state() == MoveProgress.State.DONE;
            } catch (IOException | IllegalArgumentException notNow) {
                return false;
            }
        });
        return seen.get(seen.size() - 1);
    }

    @Test
    void nothingThatWasAnsweredIsLostWhenMastersAreKilledInMoves() throws Exception {
        Random random = Seed.random();
        List<Integer> free = Ports.free(2);
        ports.put("a", free.get(0));
        ports.put("b", free.get(1));
        Files.createDirectories(root.resolve("store"));
        start("a");
        start("b");
        AtomicBoolean stop = new AtomicBoolean();
        List<MoveLoad> loads = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (GrpcBdts client = GrpcBdts.connect(address("a") + "," + address("b"), PATIENCE)) {
            Bdt mount = client.open(Map.of("packing.store", store()));
            for (int i = 0; i < LOADS; i++) {
                MoveLoad load = new MoveLoad(
                        mount,
                        mount.register(new WorkerRegistration("w" + i, "127.0.0.1:" + (i + 1))),
                        new FilePath("/load" + i),
                        new Random(random.nextLong()),
                        stop);
                loads.add(load);
                threads.add(new Thread(load, "load-" + i));
            }
            threads.forEach(Thread::start);
            FederationClient groups = client.groups();
            String name = groups.table().mounts().get(0).mount();
            for (int round = 0; round < ROUNDS; round++) {
                String to = round % 2 == 0 ? "b" : "a";
                pause(random.nextInt(MOST_MILLIS));
                // A master that was killed has it open when a client has asked.
                assertThat(mount.stat(FilePath.ROOT)).isPresent();
                MoveProgress begun = groups.move(name, to, true);
                assertThat(begun.group()).isEqualTo(to);
                pause(random.nextInt(MOST_MILLIS));
                String victim = random.nextBoolean() ? "a" : "b";
                Optional.ofNullable(running.get(victim)).orElseThrow().kill();
                start(victim);
                assertThat(move(groups, mount, name, to).group()).isEqualTo(to);
                assertThat(groups.table().mounts().get(0).group()).isEqualTo(to);
                assertThat(loads).allSatisfy(load -> assertThat(load.failures).isEmpty());
            }
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            for (MoveLoad load : loads) {
                assertThat(load.failures).isEmpty();
                load.check(mount);
                assertThat(load.answered.get()).isPositive();
            }
        } finally {
            stop.set(true);
            running.values().forEach(JavaProcess::close);
        }
    }
}
