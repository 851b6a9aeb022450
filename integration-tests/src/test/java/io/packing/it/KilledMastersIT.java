// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of three masters in processes of their own, whose leader is killed by SIGKILL again and again. */
@Timeout(1_800)
@Tag("hunt")
class KilledMastersIT {
    private static final int ROUNDS = Integer.getInteger("packing.kill.rounds", 3);
    private static final int CLIENTS = 4;
    private static final List<String> IDS = List.of("a", "b", "c");
    private static final Duration START = Duration.ofMinutes(2);
    private static final Pattern LEADS = Pattern.compile("leads the group of masters from term (\\d+) on");

    @TempDir
    private Path root;

    private final Map<String, JavaProcess> running = new TreeMap<>();
    private final AtomicBoolean end = new AtomicBoolean();
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong last = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private String peers = "";
    private List<Integer> ports = List.of();

    private Path objects() {
        return root.resolve("objects");
    }

    private Path log(String id) {
        return root.resolve(id + "-log.txt");
    }

    private void start(String id) throws IOException, InterruptedException {
        JavaProcess process = JavaProcess.start(
                new JavaCommand(
                        id,
                        "io.packing.cli.Main",
                        List.of(System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1)),
                        256,
                        Map.of("packing.log", log(id).toString()),
                        List.of(
                                "bdt-master",
                                "--data-dir",
                                root.resolve(id).toString(),
                                "--bind",
                                "127.0.0.1:" + ports.get(IDS.indexOf(id)),
                                "--store",
                                "file://" + objects(),
                                "--peers",
                                peers,
                                "--id",
                                id)),
                root);
        running.put(id, process);
        String unused = process.awaitLine("BDT master at ", START);
    }

    /** Waits until a member has the log since its latest start: votes of members without the log do not count. */
    private void awaitKnown(String id, int start) throws IOException, InterruptedException {
        String told = "knows of start %d of member %s, which has the log".formatted(start, id);
        Await.until(
                told, () -> Files.exists(log(id)) && Files.readString(log(id)).contains(told));
    }

    /** Returns the member that was elected last. */
    private String leader() throws IOException {
        String leader = IDS.get(0);
        long latest = -1;
        for (String id : running.keySet()) {
            Matcher matcher = LEADS.matcher(Files.exists(log(id)) ? Files.readString(log(id)) : "");
            while (matcher.find()) {
                long term = Long.parseLong(matcher.group(1));
                if (term > latest) {
                    latest = term;
                    leader = id;
                }
            }
        }
        return leader;
    }

    private void load(Bdt table, int client) {
        try {
            for (int i = 0; !end.get(); i++) {
                String path = "/load-%d-%d".formatted(client, i);
                assertThat(table.mkdir(new FilePath(path), new DirectoryAttributes("u", "g", 0755), false))
                        .isEqualTo(Outcome.DONE);
                acknowledged.add(path);
                long now = System.nanoTime();
                long gap = now - last.getAndSet(now);
                longest.accumulateAndGet(gap, Math::max);
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failures.add(e);
        }
    }

    private void awaitMore(int operations) throws IOException, InterruptedException {
        int before = acknowledged.size();
        Await.until("%d more operations are acknowledged".formatted(operations), () -> {
            assertThat(failures).isEmpty();
            return acknowledged.size() >= before + operations;
        });
    }

    @Test
    void noAcknowledgedOperationIsLost() throws Exception {
        Files.createDirectories(objects());
        List<Integer> free = Ports.free(2 * IDS.size());
        ports = free.subList(0, IDS.size());
        peers = IDS.stream()
                .map(id -> id + "=127.0.0.1:" + free.get(IDS.size() + IDS.indexOf(id)))
                .collect(Collectors.joining(","));
        String addresses = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        List<Thread> threads = new ArrayList<>();
        Map<String, Integer> kills = new TreeMap<>();
        try (GrpcBdts client = GrpcBdts.connect(addresses, Duration.ofMinutes(2))) {
            for (String id : IDS) {
                start(id);
            }
            for (String id : IDS) {
                awaitKnown(id, 1);
            }
            Bdt table = client.open(Map.of("packing.store", "file://" + objects()));
            last.set(System.nanoTime());
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                Thread thread = new Thread(() -> load(table, number), "load-" + i);
                thread.start();
                threads.add(thread);
            }
            for (int round = 0; round < ROUNDS; round++) {
                awaitMore(200);
                longest.set(0);
                String leader = leader();
                JavaProcess killed = running.remove(leader);
                if (killed != null) {
                    killed.kill();
                }
                awaitMore(200);
                System.out.printf(
                        "round %d: %s killed, longest time without an answer %d ms, %d operations acknowledged%n",
                        round, leader, longest.get() / 1_000_000, acknowledged.size());
                start(leader);
                awaitKnown(leader, kills.merge(leader, 1, Integer::sum) + 1);
            }
            end.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            for (String path : acknowledged) {
                assertThat(table.stat(new FilePath(path))).as(path).isPresent();
            }
        } finally {
            end.set(true);
            running.values().forEach(JavaProcess::close);
        }
    }
}
