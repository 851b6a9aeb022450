// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.FederationClient;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A benchmark of a mount that moves to another group of masters while clients use it. It fills the mount with files,
 * and moves it there and back. It measures the time of a move, and of the longest operation of some threads meanwhile.
 * Masters and threads are in this process, and speak over gRPC. Each move prints one line of JSON.
 *
 * <p>Usage: {@code mount-move [files] [moves]}.
 */
public final class MoveScale {
    private static final int THREADS = 4;
    private static final int NAMES = 50;
    private static final long WARM_MILLIS = 5_000;
    private static final long LOOK_MILLIS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<Integer> ports = List.of(freePort(), freePort());
    private final Path directory;
    private final long files;
    private final AtomicBoolean stop = new AtomicBoolean();

    private MoveScale(Path directory, long files) throws IOException {
        this.directory = directory;
        this.files = files;
    }

    public static void main(String[] args) throws Exception {
        long files = args.length > 0 ? Long.parseLong(args[0]) : 1_000_000;
        int moves = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        Path directory = Files.createTempDirectory("mount-move");
        try {
            new MoveScale(directory, files).run(moves);
        } finally {
            Phase.deleteTree(directory);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private BdtMaster master(String group, int port) throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        directory.resolve(group).toString(),
                        "bdt.port",
                        Integer.toString(port),
                        "bdt.mounts.groups",
                        "a=127.0.0.1:%d,b=127.0.0.1:%d".formatted(ports.get(0), ports.get(1)),
                        "bdt.mounts.group",
                        group,
                        "bdt.stores",
                        "file://" + directory)))
                .serve();
    }

    private void run(int moves) throws Exception {
        Path store = Files.createDirectories(directory.resolve("store"));
        Map<String, String> options =
                Map.of("packing.store", store.toUri().toString(), "packing.backup.interval", "10h");
        try (BdtMaster first = master("a", ports.get(0));
                BdtMaster second = master("b", ports.get(1));
                GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + first.port(), PATIENCE);
                GrpcBdts other = GrpcBdts.connect("127.0.0.1:" + second.port(), PATIENCE)) {
            Bdt mount = client.open(options);
            long unused = new ReportedFiles(files).fill(mount, store);
            FederationClient groups = other.groups();
            String name = groups.table().mounts().get(0).mount();
            List<User> users = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                User user = new User((i % 2 == 0 ? client : other).open(options), i);
                users.add(user);
                threads.add(new Thread(user, "user-" + i));
            }
            threads.forEach(Thread::start);
            Measure.pause(WARM_MILLIS);
            for (int i = 0; i < moves; i++) {
                users.forEach(User::reset);
                Measure.pause(WARM_MILLIS);
                double before =
                        users.stream().mapToLong(user -> user.longest).max().orElse(0) / 1e6;
                users.forEach(User::reset);
                MoveProgress done = move(groups, name, i % 2 == 0 ? "b" : "a");
                Measure.pause(LOOK_MILLIS);
                System.out.println(Measure.json(figures(done, before, users)));
            }
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            if (mount.statistics().files() < files) {
                throw new IllegalStateException("files are gone");
            }
        }
    }

    private Map<String, Double> figures(MoveProgress done, double before, List<User> users) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("files", (double) files);
        figures.put("seconds", done.time().toMillis() / 1e3);
        figures.put("rows", (double) done.rows());
        figures.put("megabytes", done.bytes() / 1e6);
        figures.put("frozen_ms", (double) done.frozen().toMillis());
        figures.put(
                "longest_wait_ms",
                users.stream().mapToLong(user -> user.longest).max().orElse(0) / 1e6);
        figures.put("longest_wait_before_ms", before);
        figures.put("operations", (double)
                users.stream().mapToLong(user -> user.operations.get()).sum());
        figures.put("failures", (double)
                users.stream().mapToLong(user -> user.failures.get()).sum());
        return figures;
    }

    private static MoveProgress move(FederationClient groups, String mount, String to)
            throws IOException, InterruptedException {
        MoveProgress progress = groups.move(mount, to, true);
        while (!progress.isOver()) {
            Measure.pause(LOOK_MILLIS);
            progress = groups.move(mount, to, false);
        }
        if (progress.state() != MoveProgress.State.DONE) {
            throw new IOException(progress.problem());
        }
        return progress;
    }

    /** A user that creates, reads, clones, renames and deletes, one after the other. */
    private final class User implements Runnable {
        private final Bdt mount;
        private final FilePath own;
        private final Random random;
        private volatile long longest;
        private final AtomicLong operations = new AtomicLong();
        private final AtomicLong failures = new AtomicLong();

        private User(Bdt mount, int number) {
            this.mount = mount;
            this.own = new FilePath("/user-" + number);
            this.random = new Random(number);
        }

        private void reset() {
            longest = 0;
            operations.set(0);
        }

        @Override
        public void run() {
            while (!stop.get()) {
                long start = System.nanoTime();
                try {
                    step();
                } catch (IOException | RuntimeException e) {
                    failures.incrementAndGet();
                    System.err.println(e);
                }
                longest = Math.max(longest, System.nanoTime() - start);
                operations.incrementAndGet();
            }
        }

        private void step() throws IOException {
            FilePath name = own.child("n" + random.nextInt(NAMES));
            FilePath to = own.child("m" + random.nextInt(NAMES));
            switch (random.nextInt(5)) {
                case 0 ->
                    use(mount.apply(OperationVector.of(
                            new Operation.MakeDirectory(own, new DirectoryAttributes("u", "g", 0755), true),
                            new Operation.CreateFile(name, AttributeChange.NONE, true))));
                case 1 ->
                    use(mount.apply(OperationVector.of(new Operation.CloneFile(name, to, true, AttributeChange.NONE))));
                case 2 -> use(mount.apply(OperationVector.of(new Operation.Rename(name, to, true))));
                case 3 -> {
                    Outcome unused = mount.delete(to, false);
                }
                default -> {
                    if (mount.locate(ReportedFiles.path(random.nextLong(files))).isEmpty()) {
                        throw new IOException("a file is gone");
                    }
                }
            }
        }
    }

    /** Requires an answer to a change; the mount may refuse it, since names come and go. */
    private static void use(VectorResult result) throws IOException {
        if (!(result instanceof VectorResult.Applied || result instanceof VectorResult.Refused)) {
            throw new IOException(result.toString());
        }
    }
}
