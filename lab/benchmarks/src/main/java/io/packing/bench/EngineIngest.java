// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * A benchmark of the ingest of small files. This process is the client; a master and a worker are processes of their
 * own on this machine, with a directory as the store. Every file is acknowledged with the mount's durability (synced by
 * default). In mode {@code close} every thread writes one output after the other and waits for its close; in mode
 * {@code put} it waits only at the end. Each round prints one line of JSON; the first round is cold. With
 * {@code --snapshots yes} a round overwrites files twice, the second time under a snapshot. All files share 64
 * contents; with {@code --distinct yes} every file has its own.
 *
 * <p>Write amplification is the bytes that the disk wrote for the worker's buffer, over the bytes of the files. It
 * includes the file system's own writes. The master's bytes are subtracted, and so is the worker's copy in the store,
 * which a real store gets over the network. No other process may write to the disk meanwhile. Page amplification counts
 * the pages that the worker made dirty, by the kernel's count: see {@link BlockDevice}.
 */
public final class EngineIngest {
    private static final int FILES_PER_DIRECTORY = 1_000;
    private static final int CONTENTS = 64;
    private static final CreateOptions NEW = new CreateOptions("bench", "bench", 0644, true, false);
    private static final CreateOptions ANY = new CreateOptions("bench", "bench", 0644, true, true);

    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
            "files",
            "131072",
            "size",
            "8192",
            "threads",
            "2",
            "rounds",
            "2",
            "mode",
            "put",
            "dir",
            "",
            "snapshots",
            "no",
            "distinct",
            "no"));
    private final Map<String, String> options = new LinkedHashMap<>();

    private EngineIngest() {}

    public static void main(String[] args) throws Exception {
        EngineIngest bench = new EngineIngest();
        bench.parse(args);
        bench.run();
    }

    private void parse(String[] args) {
        for (int i = 0; i < args.length; i++) {
            String key = args[i].startsWith("--") ? args[i].substring(2) : "";
            if (settings.containsKey(key) && i + 1 < args.length) {
                settings.put(key, args[++i]);
            } else if (args[i].matches("packing\\.[a-z.]+=.*")) {
                options.put(args[i].substring(0, args[i].indexOf('=')), args[i].substring(args[i].indexOf('=') + 1));
            } else {
                throw new IllegalArgumentException("unknown argument '%s', want --%s or packing.KEY=VALUE"
                        .formatted(args[i], String.join(", --", settings.keySet())));
            }
        }
    }

    private int setting(String key) {
        return Integer.parseInt(settings.getOrDefault(key, ""));
    }

    private void run() throws Exception {
        String parent = settings.getOrDefault("dir", "");
        Path directory = parent.isEmpty()
                ? Files.createTempDirectory("engine-ingest")
                : Files.createTempDirectory(Files.createDirectories(Path.of(parent)), "engine-ingest");
        Path store = Files.createDirectories(directory.resolve("store"));
        options.put("packing.store", store.toUri().toString());
        List<String> worker = new ArrayList<>();
        try (ChildProcess master = ChildProcess.start(
                IngestServer.class,
                List.of("master", directory.resolve("master").toString(), store.toString()))) {
            worker.addAll(List.of(
                    "worker", master.ready(), directory.resolve("worker").toString()));
            options.forEach((key, value) -> worker.add(key + "=" + value));
            MountOptions mountOptions = MountOptions.from(options);
            try (ChildProcess writer = ChildProcess.start(IngestServer.class, worker);
                    GrpcBdts bdts = GrpcBdts.connect(master.ready(), Duration.ofSeconds(30));
                    RemotePackingFileSystem mount = RemotePackingFileSystem.open(
                            bdts, mountOptions, ObjectStores.open(mountOptions.store()), Writers.at(writer.ready()))) {
                for (int round = 0; round < setting("rounds"); round++) {
                    System.out.println(Measure.json(
                            overwrites()
                                    ? pair(round, store, mount, master, writer)
                                    : round(round, store, mount, master, writer)));
                }
            }
        } finally {
            delete(directory);
        }
    }

    private boolean overwrites() {
        return settings.getOrDefault("snapshots", "").equals("yes");
    }

    /**
     * Overwrites files twice, the second time under a snapshot (ANViL, Figure 2). The snapshot stays, so that its
     * cleanup disturbs no measurement.
     */
    private Map<String, Double> pair(
            int round, Path store, RemotePackingFileSystem mount, ChildProcess master, ChildProcess writer)
            throws Exception {
        putAll(round, mount);
        mount.flush();
        Map<String, Double> without = round(round, store, mount, master, writer);
        Operation snapshot = new Operation.TakeSnapshot(new FilePath("/round" + round), "before");
        if (!(mount.bdt().apply(OperationVector.of(snapshot)) instanceof VectorResult.Applied)) {
            throw new IllegalStateException(snapshot + " was refused");
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        round(round, store, mount, master, writer).forEach((key, value) -> figures.put("snapshot_" + key, value));
        figures.put(
                "writes_with_snapshot_to_without",
                figures.getOrDefault("snapshot_files_per_second", 0.0) / without.getOrDefault("files_per_second", 0.0));
        figures.putAll(without);
        return figures;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private Map<String, Double> round(
            int round, Path store, RemotePackingFileSystem mount, ChildProcess master, ChildProcess writer)
            throws Exception {
        double userBytes = (double) setting("files") * setting("size");
        long self = ProcessHandle.current().pid();
        Optional<BlockDevice> device = BlockDevice.of(store);
        double deviceWrote = device.isPresent() ? device.get().bytesWritten() : 0;
        BdtStatistics before = mount.bdt().statistics();
        double[] cpu = {master.cpuSeconds(), writer.cpuSeconds(), ChildProcess.cpuSeconds(self)};
        double written = writer.bytesWritten();
        double logged = master.bytesWritten();
        long start = System.nanoTime();
        putAll(round, mount);
        double seconds = Measure.seconds(start);
        double[] after = {master.cpuSeconds(), writer.cpuSeconds(), ChildProcess.cpuSeconds(self)};
        long flush = System.nanoTime();
        mount.flush();
        double flushSeconds = Measure.seconds(flush);
        BdtStatistics now = mount.bdt().statistics();
        double pushed = now.blobBytes() - before.blobBytes();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("files", (double) setting("files"));
        figures.put("files_per_second", setting("files") / seconds);
        figures.put("flush_seconds", flushSeconds);
        double dirtied = writer.bytesWritten() - written;
        double masterWrote = master.bytesWritten() - logged;
        if (device.isPresent()) {
            double wrote = device.get().bytesWritten() - deviceWrote;
            figures.put("write_amplification", (wrote - masterWrote - pushed) / userBytes);
        }
        figures.put("page_amplification", (dirtied - pushed) / userBytes);
        figures.put("worker_bytes_dirtied", dirtied);
        figures.put("pushed_bytes", pushed);
        figures.put("master_bytes_written", masterWrote);
        figures.put("blobs", (double) now.blobs() - before.blobs());
        figures.put("master_cpu_seconds", after[0] - cpu[0]);
        figures.put("worker_cpu_seconds", after[1] - cpu[1]);
        figures.put("client_cpu_seconds", after[2] - cpu[2]);
        return figures;
    }

    /** Writes all files, and returns when each is acknowledged. */
    private void putAll(int round, RemotePackingFileSystem mount) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < CONTENTS; i++) {
            byte[] content = new byte[setting("size")];
            random.nextBytes(content);
            contents.add(content);
        }
        int threads = setting("threads");
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<Integer>> writers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread;
            writers.add(executor.submit(() -> write(round, mount, contents, first, threads)));
        }
        int acknowledged = 0;
        for (Future<Integer> writer : writers) {
            acknowledged += writer.get();
        }
        executor.shutdown();
        if (acknowledged != setting("files")) {
            throw new IllegalStateException("only %d files are acknowledged".formatted(acknowledged));
        }
    }

    /** Returns the bytes of a file; with {@code --distinct} no other file has them. */
    private byte[] content(byte[] common, int round, int number) {
        boolean distinct = settings.getOrDefault("distinct", "").equals("yes");
        return distinct
                ? ByteBuffer.wrap(common.clone()).putInt(round).putInt(number).array()
                : common;
    }

    /** Writes one thread's part of the files; returns the number of acknowledged ones. */
    private int write(int round, RemotePackingFileSystem mount, List<byte[]> contents, int first, int threads)
            throws IOException {
        CreateOptions create = overwrites() ? ANY : NEW;
        boolean outputs = settings.getOrDefault("mode", "").equals("close");
        List<CompletableFuture<FileVersion>> puts = new ArrayList<>();
        int closed = 0;
        for (int number = first; number < setting("files"); number += threads) {
            FilePath path =
                    new FilePath("/round%d/part-%06d/file-%09d".formatted(round, number / FILES_PER_DIRECTORY, number));
            byte[] content = content(contents.get(number % CONTENTS), round, number);
            if (outputs) {
                try (PackingOutput output = mount.create(path, create)) {
                    output.write(content);
                }
                closed++;
            } else {
                puts.add(mount.put(path, ByteBuffer.wrap(content), create));
            }
        }
        puts.forEach(CompletableFuture::join);
        return closed + puts.size();
    }
}
