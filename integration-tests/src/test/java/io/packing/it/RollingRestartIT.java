// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a rolling upgrade by the hooks of the Helm chart: {@code packing drain} and SIGTERM for each worker, SIGTERM for each of three masters,
 * the last one first, and each is started again on its disk. Clients write all the time.
 */
@Timeout(900)
@Tag("process")
class RollingRestartIT {
    private static final int CLIENTS = 3;
    private static final int WRITES = 50;
    private static final List<String> MASTERS = List.of("masters-0", "masters-1", "masters-2");
    private static final List<String> WORKERS = List.of("workers-0", "workers-1");
    private static final Duration START = Duration.ofMinutes(2);

    @TempDir
    private Path root;

    private final Map<String, JavaProcess> running = new TreeMap<>();
    private final AtomicBoolean end = new AtomicBoolean();
    private final Queue<String> written = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private List<Integer> ports = List.of();
    private String peers = "";
    private String addresses = "";

    private String store() {
        return "file://" + root.resolve("objects");
    }

    private Path log(String name) {
        return root.resolve(name + "-log.txt");
    }

    private JavaCommand command(String name, List<String> words) {
        return new JavaCommand(
                        name,
                        "io.packing.cli.Main",
                        List.of(System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1)),
                        256,
                        Map.of("packing.log", log(name).toString()),
                        words)
                .brief();
    }

    private void start(String name, String firstLine, List<String> words) throws IOException, InterruptedException {
        JavaProcess process = JavaProcess.start(command(name, words), root);
        running.put(name, process);
        String unused = process.awaitLine(firstLine, START);
    }

    private void startMaster(String name, int start) throws IOException, InterruptedException {
        start(
                name,
                "BDT master at ",
                List.of(
                        "bdt-master",
                        "--data-dir",
                        root.resolve(name).toString(),
                        "--bind",
                        "127.0.0.1:" + ports.get(MASTERS.indexOf(name)),
                        "--store",
                        store(),
                        "--peers",
                        peers,
                        "--id",
                        name));
        if (start > 1) {
            awaitKnown(name, start);
        }
    }

    /** Waits until a member has the log since its latest start. */
    private void awaitKnown(String name, int start) throws IOException, InterruptedException {
        String told = "knows of start %d of member %s, which has the log".formatted(start, name);
        Await.until(
                told, () -> Files.exists(log(name)) && Files.readString(log(name)).contains(told));
    }

    private void startWorker(String name) throws IOException, InterruptedException {
        start(
                name,
                "worker " + name,
                List.of(
                        "worker",
                        "packing://" + addresses + "/",
                        "--id",
                        name,
                        "--port",
                        "0",
                        "--buffer-dir",
                        root.resolve(name).toString(),
                        "--option",
                        "packing.store=" + store()));
    }

    /** Ends a daemon as a kubelet does after the hook before the stop. */
    private void terminate(String name) throws InterruptedException, ExecutionException {
        JavaProcess process = running.remove(name);
        if (process == null) {
            throw new IllegalStateException(name + " does not run");
        }
        ProcessHandle handle = ProcessHandle.of(process.pid()).orElse(null);
        if (handle != null) {
            boolean unused = handle.destroy();
            Object ended = handle.onExit().get();
            assertThat(ended).isNotNull();
        }
        process.close();
    }

    private void drain(String worker) throws IOException, InterruptedException {
        List<String> told = new ArrayList<>();
        JavaProcess.run(
                command("drain-" + worker, List.of("drain", "packing://" + addresses + "/", worker)), root, told::add);
        assertThat(told).anySatisfy(line -> assertThat(line).contains("worker " + worker + " has left"));
    }

    private void write(RemotePackingFileSystem files, int client) {
        try {
            for (int i = 0; !end.get(); i++) {
                String path = "/c%d/f%d".formatted(client, i);
                try (PackingOutput out =
                        files.create(new FilePath(path), new CreateOptions("u", "g", 0644, true, false))) {
                    out.write(path.getBytes(StandardCharsets.UTF_8));
                }
                written.add(path);
            }
        } catch (IOException | RuntimeException e) {
            failures.add(e);
        }
    }

    private void awaitMore() throws IOException, InterruptedException {
        int before = written.size();
        Await.until("%d more files are written".formatted(WRITES), () -> {
            assertThat(failures).isEmpty();
            return written.size() >= before + WRITES;
        });
    }

    private static String read(RemotePackingFileSystem files, String path) throws IOException {
        try (PackingInput in = files.open(new FilePath(path))) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining() && in.read(all.position(), all) > 0) {
                // Reads on.
            }
            return new String(all.array(), 0, all.position(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void noWriteFailsAndNoFileIsLost() throws Exception {
        Files.createDirectories(root.resolve("objects"));
        List<Integer> free = Ports.free(2 * MASTERS.size());
        ports = free.subList(0, MASTERS.size());
        peers = MASTERS.stream()
                .map(name -> name + "=127.0.0.1:" + free.get(MASTERS.size() + MASTERS.indexOf(name)))
                .collect(Collectors.joining(","));
        addresses = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        List<Thread> threads = new ArrayList<>();
        try {
            for (String name : MASTERS) {
                startMaster(name, 1);
            }
            for (String name : MASTERS) {
                awaitKnown(name, 1);
            }
            for (String name : WORKERS) {
                startWorker(name);
            }
            MountOptions mount = MountOptions.from(Map.of("packing.store", store()));
            try (GrpcBdts client = GrpcBdts.connect(addresses, Duration.ofMinutes(2));
                    RemotePackingFileSystem files = RemotePackingFileSystem.open(
                            client, mount, ObjectStores.open(mount.store()), Writers.preferHost("127.0.0.1"))) {
                for (int i = 0; i < CLIENTS; i++) {
                    int number = i;
                    Thread thread = new Thread(() -> write(files, number), "write-" + i);
                    thread.start();
                    threads.add(thread);
                }
                restartAll();
                end.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(failures).isEmpty();
                assertThat(written).hasSizeGreaterThan(WRITES * (MASTERS.size() + WORKERS.size()));
                for (String path : written) {
                    assertThat(read(files, path)).isEqualTo(path);
                }
            }
        } finally {
            end.set(true);
            running.values().forEach(JavaProcess::close);
        }
    }

    /** Restarts the set of workers, and then that of masters, the last one of each first. */
    private void restartAll() throws Exception {
        for (int i = WORKERS.size() - 1; i >= 0; i--) {
            awaitMore();
            drain(WORKERS.get(i));
            terminate(WORKERS.get(i));
            startWorker(WORKERS.get(i));
        }
        for (int i = MASTERS.size() - 1; i >= 0; i--) {
            awaitMore();
            terminate(MASTERS.get(i));
            startMaster(MASTERS.get(i), 2);
        }
        awaitMore();
    }
}
