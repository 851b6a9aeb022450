// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.fuse.posix.server.PosixServerMain;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * A benchmark of the kernel's door. Small files are created, written and closed in three ways that take turns: through
 * a mount, through one with write-behind, and by the engine. Each way has equally many threads, each in its own
 * directory. Also 2 MB are overwritten and synced in a file of 1 GB, and {@code cp} copies it. At last {@code stat} and
 * {@code open} run on known files of a read-only mount. The last two parts run beside the local disk. {@code _us} is
 * the processor time of all processes for a file, {@code _server_us} that of the mount's server.
 *
 * <p>Usage: {@code posix [files] [threads] [rounds]}; needs root and /dev/fuse. Master and worker are in this process,
 * the mount's server in one of its own.
 */
public final class PosixDoor implements AutoCloseable {
    private static final int SIZE = 8 << 10;
    private static final int KNOWN = 2_000;
    private static final int CALLS = 200_000;
    private static final long LARGE = 1L << 30;
    private static final int OVERWRITTEN = 2 << 20;
    private static final CreateOptions CREATE = new CreateOptions("root", "root", 0644, false, false);

    private final Path home;
    private final BdtMaster master;
    private final PackingWorker worker;
    private final PackingFileSystem files;
    private final GrpcBdts client;
    private final RemotePackingFileSystem engine;
    private final Map<String, String> options;
    private final byte[] bytes = new byte[SIZE];
    private int made;

    private PosixDoor() throws IOException {
        home = Files.createTempDirectory("posix");
        Path store = Files.createDirectories(home.resolve("store"));
        options = Map.of("packing.store", store.toUri().toString());
        master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("master").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "file://" + store)))
                .serve();
        client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(10));
        worker = PackingWorker.start(
                new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0),
                client,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        MountOptions mount = MountOptions.from(options);
        files = worker.open(mount);
        engine = RemotePackingFileSystem.open(
                client, mount, ObjectStores.open(mount.store()), Writers.preferHost("127.0.0.1"));
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 4_000;
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        try (PosixDoor door = new PosixDoor()) {
            try (FuseMount mount = door.mount("rw", false);
                    FuseMount behind = door.mount("behind", false, "-D" + PosixServerMain.WRITE_BEHIND + "=true")) {
                door.creates(mount.directory(), behind.directory(), count, threads);
                for (int round = 0; round < rounds; round++) {
                    System.out.println(
                            Measure.json(door.creates(mount.directory(), behind.directory(), count, threads)));
                }
                Path large = large(mount.directory().resolve("large"));
                Path local = large(door.home.resolve("large"));
                for (int round = 0; round < rounds; round++) {
                    System.out.println(Measure.json(overwrites(large, local, round)));
                }
                Path known = Files.createDirectory(mount.directory().resolve("known"));
                write(known);
            }
            write(Files.createDirectory(door.home.resolve("known")));
            try (FuseMount mount = door.mount("ro", true)) {
                for (int round = 0; round <= rounds; round++) {
                    String figures =
                            Measure.json(door.metadata(mount.directory().resolve("known"), threads));
                    // The first round makes the kernel know the files.
                    System.out.print(round == 0 ? "" : figures + "\n");
                }
            }
        }
        System.exit(0);
    }

    private FuseMount mount(String name, boolean readOnly, String... more) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(home.resolve(name));
        MountSpec spec = new MountSpec(
                directory, home.resolve(name + ".state"), "bench", readOnly, MountAccessOptions.FILES, false);
        Duration valid = readOnly ? Duration.ofHours(1) : Duration.ofSeconds(1);
        List<String> jvm = new ArrayList<>(List.of("-Xmx512m", "-XX:+UseSerialGC"));
        jvm.addAll(List.of(more));
        return new PosixMount("127.0.0.1:" + master.port(), FilePath.ROOT, options, valid, spec, jvm, OwnerMap.NAMES)
                .start();
    }

    private static void write(Path directory) throws IOException {
        for (int i = 0; i < KNOWN; i++) {
            Files.write(directory.resolve("f" + i), new byte[100]);
        }
    }

    private static Path large(Path file) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(1 << 20);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (channel.position() < LARGE) {
                int unused = channel.write(piece.clear());
            }
            channel.force(true);
        }
        return file;
    }

    private static Map<String, Double> overwrites(Path mounted, Path local, int round)
            throws IOException, InterruptedException {
        Map<String, Double> figures = new LinkedHashMap<>();
        double seconds = overwrite(mounted, round);
        figures.put("overwrite_ms", 1e3 * seconds);
        figures.put("overwrite_to_local", seconds / overwrite(local, round));
        double copied = copy(mounted);
        figures.put("copy_ms", 1e3 * copied);
        figures.put("copy_to_local", copied / copy(local));
        return figures;
    }

    private static double overwrite(Path file, int round) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(OVERWRITTEN);
        long start = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            while (piece.hasRemaining()) {
                int unused = channel.write(piece, LARGE / 2 + (long) round * OVERWRITTEN + piece.position());
            }
            channel.force(false);
        }
        return Measure.seconds(start);
    }

    private static double copy(Path file) throws IOException, InterruptedException {
        Path to = file.resolveSibling("copy");
        long start = System.nanoTime();
        int code = new ProcessBuilder("cp", file.toString(), to.toString())
                .inheritIO()
                .start()
                .waitFor();
        double seconds = Measure.seconds(start);
        Files.delete(to);
        if (code != 0) {
            throw new IOException("cp ended with " + code);
        }
        return seconds;
    }

    /**
     * The cost of a number of files.
     *
     * @param perSecond files
     * @param micros processor time for each file, in this process and in those of the mounts
     * @param serverMicros processor time in the processes of the mounts
     */
    private record Cost(double perSecond, double micros, double serverMicros) {
        /** Combines two parts of equal size. */
        Cost and(Cost other) {
            return new Cost(
                    2 / (1 / perSecond + 1 / other.perSecond),
                    (micros + other.micros) / 2,
                    (serverMicros + other.serverMicros) / 2);
        }
    }

    private static Cost cost(int count, int threads, Work work) throws Exception {
        Duration own = processorTime(Stream.of(ProcessHandle.current()));
        Duration servers = processorTime(ProcessHandle.current().descendants());
        double perSecond = perSecond(count, threads, work);
        double server =
                micros(processorTime(ProcessHandle.current().descendants()).minus(servers), count);
        return new Cost(
                perSecond,
                server
                        + micros(
                                processorTime(Stream.of(ProcessHandle.current()))
                                        .minus(own),
                                count),
                server);
    }

    private static Duration processorTime(Stream<ProcessHandle> processes) {
        return processes
                .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static double micros(Duration all, int count) {
        return all.toNanos() / 1e3 / count;
    }

    /** A thread's work for each of its numbers. */
    private interface Work {
        void run(int number) throws IOException;
    }

    private static double perSecond(int count, int threads, Work work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread;
            tasks.add(() -> {
                for (int i = first; i < count; i += threads) {
                    work.run(i);
                }
                return first;
            });
        }
        long start = System.nanoTime();
        for (Future<Integer> done : executor.invokeAll(tasks)) {
            Integer unused = done.get();
        }
        double seconds = Measure.seconds(start);
        executor.shutdown();
        return count / seconds;
    }

    private Map<String, Double> creates(Path mounted, Path mountedBehind, int count, int threads) throws Exception {
        made++;
        Path directory = Files.createDirectory(mounted.resolve("mount-" + made));
        Path behind = Files.createDirectory(mountedBehind.resolve("behind-" + made));
        FilePath other = new FilePath("/engine-" + made);
        if (engine.bdt().mkdir(other, new DirectoryAttributes("root", "root", 0755), false) != Outcome.DONE) {
            throw new IllegalStateException("no directory");
        }
        for (int thread = 0; thread < threads; thread++) {
            Files.createDirectory(directory.resolve("t" + thread));
            Files.createDirectory(behind.resolve("t" + thread));
            Outcome unused =
                    engine.bdt().mkdir(other.child("t" + thread), new DirectoryAttributes("root", "root", 0755), false);
        }
        // The ways take turns in parts, so that a drift of the machine hits both alike.
        Cost throughMount = cost(
                count / 2,
                threads,
                i -> Files.write(directory.resolve("t" + i % threads).resolve("a" + i), bytes));
        Cost throughEngine =
                cost(count, threads, i -> create(other.child("t" + i % threads).child("f" + i)));
        Cost throughBehind = cost(
                count,
                threads,
                i -> Files.write(behind.resolve("t" + i % threads).resolve("f" + i), bytes));
        Cost again = cost(
                count / 2,
                threads,
                i -> Files.write(directory.resolve("t" + i % threads).resolve("b" + i), bytes));
        Cost both = throughMount.and(again);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("creates_mount_s", both.perSecond());
        figures.put("creates_engine_s", throughEngine.perSecond());
        figures.put("mount_to_engine", both.perSecond() / throughEngine.perSecond());
        figures.put("creates_behind_s", throughBehind.perSecond());
        figures.put("behind_to_engine", throughBehind.perSecond() / throughEngine.perSecond());
        figures.put("mount_us", both.micros());
        figures.put("mount_server_us", both.serverMicros());
        figures.put("engine_us", throughEngine.micros());
        figures.put("behind_us", throughBehind.micros());
        figures.put("behind_server_us", throughBehind.serverMicros());
        return figures;
    }

    private void create(FilePath path) throws IOException {
        try (PackingOutput output = engine.create(path, CREATE)) {
            output.write(bytes);
        }
    }

    private Map<String, Double> metadata(Path mounted, int threads) throws Exception {
        Path local = home.resolve("known");
        Map<String, Double> figures = new LinkedHashMap<>();
        double stat = perSecond(CALLS, threads, i -> stat(mounted, i));
        double localStat = perSecond(CALLS, threads, i -> stat(local, i));
        double open = perSecond(CALLS, threads, i -> open(mounted, i));
        double localOpen = perSecond(CALLS, threads, i -> open(local, i));
        figures.put("stat_s", stat);
        figures.put("stat_to_local", stat / localStat);
        figures.put("open_close_s", open);
        figures.put("open_close_to_local", open / localOpen);
        return figures;
    }

    private static void stat(Path directory, int number) throws IOException {
        BasicFileAttributes unused =
                Files.readAttributes(directory.resolve("f" + number % KNOWN), BasicFileAttributes.class);
    }

    private static void open(Path directory, int number) throws IOException {
        FileChannel.open(directory.resolve("f" + number % KNOWN), StandardOpenOption.READ)
                .close();
    }

    @Override
    public void close() throws IOException {
        try (master;
                client;
                worker) {
            engine.close();
            files.close();
        }
    }
}
