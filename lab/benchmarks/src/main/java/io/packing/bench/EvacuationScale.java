// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Evacuation;
import io.packing.bdt.MountStatus;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.NewFile;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A benchmark of the evacuation of a mount to another directory while it is written and read. It counts the requests of the master to both
 * stores, and operations that failed. Then it deletes the old store, and reads files of all times. It prints one line of JSON.
 *
 * <p>Usage: {@code evacuate [files] [bytes of a file] [files of a blob]}.
 */
public final class EvacuationScale {
    private static final int BATCH = 1_000;
    private static final int READS = 5_000;
    private static final long LOOK_NANOS = 200_000_000;
    private static final long BETWEEN_WRITES_NANOS = 10_000_000;
    private static final CreateOptions CREATE = new CreateOptions("hdfs", "hadoop", 0644, true, true);

    private final RemotePackingFileSystem mount;
    private final int bytes;
    private final AtomicLong failed = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    private EvacuationScale(RemotePackingFileSystem mount, int bytes) {
        this.mount = mount;
        this.bytes = bytes;
    }

    public static void main(String[] args) throws Exception {
        int files = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int bytes = args.length > 1 ? Integer.parseInt(args[1]) : 1_000;
        int ofBlob = args.length > 2 ? Integer.parseInt(args[2]) : 1_000;
        Path home = Files.createTempDirectory("evacuate");
        Path before = Files.createDirectory(home.resolve("before"));
        Path after = Files.createDirectory(home.resolve("after"));
        MountOptions options = MountOptions.from(Map.of(
                "packing.store",
                before.toUri().toString(),
                "packing.blob.max.bytes",
                Long.toString(Math.max(64 << 10, (long) bytes * ofBlob)),
                "packing.backup.interval",
                "10h"));
        try (BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                                "bdt.data.dir",
                                home.resolve("master").toString(),
                                "bdt.port",
                                "0",
                                "bdt.stores",
                                "file://" + home)))
                        .serve();
                GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(60));
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("bench", home.resolve("buffer"), "127.0.0.1", 0),
                        client,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                PackingFileSystem own = worker.open(options);
                RemotePackingFileSystem mount = RemotePackingFileSystem.open(
                        client,
                        options,
                        ObjectStores::open,
                        Writers.at(own.bdt().workers().get(0).address()))) {
            EvacuationScale scale = new EvacuationScale(mount, bytes);
            System.out.println(Measure.json(scale.run(client, files, before, after)));
        } finally {
            Phase.deleteTree(home);
        }
    }

    private Map<String, Double> run(GrpcBdts client, int files, Path before, Path after) throws Exception {
        Map<String, Double> figures = new LinkedHashMap<>();
        long start = System.nanoTime();
        for (int first = 0; first < files; first += BATCH) {
            write("before", first, Math.min(BATCH, files - first));
        }
        mount.flush();
        figures.put("files", (double) files);
        figures.put("write_seconds", Measure.seconds(start));
        String id = client.operations().mounts().get(0).mount();
        AtomicLong written = new AtomicLong();
        AtomicLong read = new AtomicLong();
        Thread writer = new Thread(() -> load(() -> {
            write("meanwhile", Math.toIntExact(written.get()), 10);
            written.addAndGet(10);
            LockSupport.parkNanos(BETWEEN_WRITES_NANOS);
        }));
        Random random = new Random(1);
        Thread reader = new Thread(() -> load(() -> {
            read("before", random.nextInt(files));
            read.incrementAndGet();
        }));
        writer.start();
        reader.start();
        start = System.nanoTime();
        Evacuation progress = client.operations()
                .evacuate(id, Map.of("packing.store", after.toUri().toString()), 0);
        figures.put("switch_ms", Measure.seconds(start) * 1e3);
        MountStatus status = client.operations().mounts().get(0);
        while (!progress.done()) {
            LockSupport.parkNanos(LOOK_NANOS);
            List<MountStatus> all = client.operations().mounts();
            if (!all.isEmpty()) {
                status = all.get(0);
                progress = status.evacuation().orElse(progress);
            }
        }
        figures.put("evacuate_seconds", Measure.seconds(start));
        over.set(true);
        writer.join();
        reader.join();
        mount.flush();
        requests(figures, progress, status.masterRequests());
        figures.put("written_meanwhile", (double) written.get());
        figures.put("read_meanwhile", (double) read.get());
        Phase.deleteTree(before);
        for (int i = 0; i < READS; i++) {
            attempt(() -> read("before", random.nextInt(files)));
        }
        for (int i = 0; i < written.get(); i++) {
            int each = i;
            attempt(() -> read("meanwhile", each));
        }
        figures.put("lost", (double)
                (files + written.get() - mount.bdt().statistics().files()));
        figures.put("failed", (double) failed.get());
        figures.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        return figures;
    }

    /** The least that is possible: a copy for each blob, and the journals and backups, which are the other writes. */
    private static void requests(Map<String, Double> figures, Evacuation progress, StoreRequests asked) {
        long others = asked.lists() + asked.gets() + asked.heads() + asked.deletes();
        figures.put("blobs", (double) progress.blobs());
        figures.put("puts", (double) asked.puts());
        figures.put("lists", (double) asked.lists());
        figures.put("gets", (double) asked.gets());
        figures.put("heads", (double) asked.heads());
        figures.put("deletes", (double) asked.deletes());
        figures.put("over_minimum_percent", 100.0 * others / asked.puts());
    }

    private interface Work {
        void run() throws Exception;
    }

    private void load(Work work) {
        while (!over.get()) {
            attempt(work);
        }
    }

    private void attempt(Work work) {
        try {
            work.run();
        } catch (Exception e) {
            failed.incrementAndGet();
            System.err.println(e);
        }
    }

    private void write(String tree, int first, int count) throws Exception {
        List<NewFile> batch = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            batch.add(new NewFile(path(tree, i), content(i), CREATE));
        }
        for (CompletableFuture<FileVersion> each : mount.putAll(batch)) {
            FileVersion unused = each.get();
        }
    }

    private void read(String tree, int file) throws IOException {
        try (PackingInput in = mount.open(path(tree, file))) {
            ByteBuffer all = ByteBuffer.allocate(bytes);
            while (all.hasRemaining() && in.read(all.position(), all) > 0) {
                // Reads on.
            }
            if (!all.flip().equals(content(file))) {
                throw new IOException("%s has other bytes".formatted(path(tree, file)));
            }
        }
    }

    private static FilePath path(String tree, int file) {
        return new FilePath("/%s/%d/f%d".formatted(tree, file / BATCH, file));
    }

    private ByteBuffer content(int file) {
        byte[] content = new byte[bytes];
        new Random(file).nextBytes(content);
        return ByteBuffer.wrap(content);
    }
}
