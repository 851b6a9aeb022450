// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cluster.AlluxioCluster;
import io.packing.cluster.ClusterOptions;
import io.packing.cluster.S3Mount;
import io.packing.process.JavaProcess;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * An S3 server, a BDT master and a real Alluxio, each server a process. One bucket is mounted twice: {@link #PACKED}
 * through packing, {@link #DIRECT} through Alluxio's own S3 under file system. {@link #NOOP} is a mount of an under file
 * system that does nothing.
 */
public final class AlluxioRig {
    /** The prefix of the bucket, and the mount point, of packing. */
    public static final String PACKED = "packed";
    /** The prefix of the bucket, and the mount point, without packing. */
    public static final String DIRECT = "direct";

    /** The mount point of the under file system that does nothing. */
    public static final String NOOP = "noop";

    /** The names of the kinds of servers in {@link #cpuMillis}. */
    public static final String ALLUXIO_MASTER = "Alluxio master";

    public static final String WORKERS = "Alluxio workers";
    public static final String BDT_MASTER = "BDT master";
    public static final String S3_SERVER = "S3 server";

    private static final int CACHE_MEGABYTES = 256;

    private final S3Process s3;
    private final Servers.BdtMaster master;
    private static final int LEAST_MASTER_MEGABYTES = 512;
    private static final long MASTER_BYTES_PER_FILE = 2_048;

    private final AlluxioCluster alluxio;
    private final int workers;
    private final Map<String, String> packingOptions;

    private AlluxioRig(
            S3Process s3,
            Servers.BdtMaster master,
            AlluxioCluster alluxio,
            int workers,
            Map<String, String> packingOptions) {
        this.s3 = s3;
        this.master = master;
        this.alluxio = alluxio;
        this.workers = workers;
        this.packingOptions = Map.copyOf(packingOptions);
    }

    /**
     * Starts all of it; the workspace stops it.
     *
     * @param files that Alluxio's master must have room for
     */
    public static AlluxioRig start(
            Checkout checkout,
            Workspace workspace,
            S3Process.Limits limits,
            int workers,
            long files,
            Map<String, String> mountOptions,
            Consumer<String> narrator)
            throws IOException, InterruptedException {
        narrator.accept("starting the S3 server");
        S3Process s3 = S3Process.start(workspace, limits);
        narrator.accept("starting the BDT master");
        Servers.BdtMaster master = Servers.startBdtMaster(workspace, s3.allowed(PACKED));
        narrator.accept("starting Alluxio: a master and %d workers".formatted(workers));
        AlluxioCluster alluxio = workspace.own(AlluxioCluster.start(
                ClusterOptions.of(checkout.alluxioLib(), workspace.directory().resolve("alluxio"))
                        .withWorkers(workers, CACHE_MEGABYTES)
                        .withMasterHeap(masterHeapMegabytes(files))
                        .withExtensions(extensions(checkout, workspace.directory()))));
        Map<String, String> options = new LinkedHashMap<>(s3.storeOptions(PACKED));
        options.putAll(mountOptions);
        AlluxioRig rig = new AlluxioRig(s3, master, alluxio, workers, options);
        rig.mount(narrator);
        return rig;
    }

    /** Half of a heap is for what stays. */
    private static int masterHeapMegabytes(long files) {
        return Math.toIntExact(Math.max(LEAST_MASTER_MEGABYTES, (2 * MASTER_BYTES_PER_FILE * files) >> 20));
    }

    private static Path extensions(Checkout checkout, Path directory) throws IOException {
        Path extensions = Files.createDirectories(directory.resolve("extensions"));
        Path jar = checkout.extension();
        Files.copy(
                jar,
                extensions.resolve(Objects.requireNonNull(jar.getFileName())),
                StandardCopyOption.REPLACE_EXISTING);
        return extensions;
    }

    private void mount(Consumer<String> narrator) throws IOException, InterruptedException {
        narrator.accept("mounting the bucket twice, /%s and /%s".formatted(PACKED, DIRECT));
        // Alluxio mounts no folder of a bucket that it cannot see.
        Path folder =
                Files.createDirectories(s3.objects().resolve(S3Process.BUCKET).resolve(DIRECT));
        Files.createFile(folder.resolve(".keep"));
        alluxio.mount(
                "/" + DIRECT,
                "s3://" + S3Process.BUCKET + "/" + DIRECT,
                new S3Mount(s3.endpoint(), S3Process.ACCESS_KEY, S3Process.SECRET_KEY).options());
        alluxio.mount("/" + PACKED, "packing://" + master.address() + "/", packingOptions);
        alluxio.mount("/" + NOOP, "noop://ceiling/", Map.of());
    }

    public S3Process s3() {
        return s3;
    }

    public AlluxioCluster alluxio() {
        return alluxio;
    }

    /** Processor time of each kind of server so far, in milliseconds. */
    public Map<String, Double> cpuMillis() {
        TreeMap<String, Double> cpu = new TreeMap<>();
        cpu.put(ALLUXIO_MASTER, millis(alluxio.master()));
        for (int i = 0; i < workers; i++) {
            cpu.merge(WORKERS, millis(alluxio.worker(i)), Double::sum);
        }
        cpu.put(BDT_MASTER, millis(master.process()));
        cpu.put(S3_SERVER, millis(s3.process()));
        return cpu;
    }

    private static double millis(JavaProcess process) {
        return process.cpu().toNanos() / 1e6;
    }

    /** Makes every file of the packing mount durable in a blob. */
    public void flush() throws IOException {
        try (GrpcBdts bdts = GrpcBdts.connect(master.address(), Servers.START);
                RemotePackingFileSystem mount = open(bdts)) {
            mount.flush();
            long left = mount.bdt().statistics().bufferedFiles();
            if (left > 0) {
                throw new IOException("%d files are still buffered after a flush: a worker is gone".formatted(left));
            }
        }
    }

    /** Makes the BDT master back its table up now. */
    public void checkpoint() throws IOException {
        try (GrpcBdts bdts = GrpcBdts.connect(master.address(), Servers.START);
                Bdt directory = bdts.open(packingOptions)) {
            directory.checkpoint();
        }
    }

    private RemotePackingFileSystem open(GrpcBdts bdts) throws IOException {
        MountOptions options = MountOptions.from(packingOptions);
        return RemotePackingFileSystem.open(
                bdts, options, ObjectStores.open(options.store()), Writers.preferHost("127.0.0.1"));
    }
}
