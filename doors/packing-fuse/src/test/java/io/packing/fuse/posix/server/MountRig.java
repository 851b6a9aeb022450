// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Bdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A BDT master and a worker of this JVM over a directory, and mounts of it with server processes of their own. */
public final class MountRig implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The options of a short-lived server, whose second compiler would take most of its processor time. */
    private static final List<String> BRIEF = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Path home;
    private final BdtMaster master;
    private PackingWorker worker;
    private PackingFileSystem files;
    private final Map<String, String> options;

    private MountRig(
            Path home, BdtMaster master, PackingWorker worker, PackingFileSystem files, Map<String, String> options) {
        this.home = home;
        this.master = master;
        this.worker = worker;
        this.files = files;
        this.options = options;
    }

    public static MountRig start(Path home) throws IOException {
        // All processes are up: an answer may take long on a busy machine.
        return start(home, PATIENCE);
    }

    /** @param timeout after which a missing worker is an error. A master is waited for, however busy the machine is */
    static MountRig start(Path home, Duration timeout) throws IOException {
        Path store = Files.createDirectories(home.resolve("store"));
        Map<String, String> options = Map.of(
                "packing.store",
                store.toUri().toString(),
                "packing.seal.after",
                "2s",
                "packing.master.timeout",
                PATIENCE.toSeconds() + "s",
                "packing.worker.timeout",
                timeout.toSeconds() + "s");
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("master").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "file://" + store)))
                .serve();
        try {
            PackingWorker worker = worker(home, master);
            return new MountRig(home, master, worker, worker.open(MountOptions.from(options)), options);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    private static PackingWorker worker(Path home, BdtMaster master) throws IOException {
        return PackingWorker.start(
                new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0),
                master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    /** Stops the only worker. */
    void stopWorker() throws IOException {
        files.close();
        worker.close();
    }

    /** Starts the stopped worker again. */
    void startWorker() throws IOException {
        worker = worker(home, master);
        files = worker.open(MountOptions.from(options));
    }

    /** Returns the worker's mount. */
    public PackingFileSystem files() {
        return files;
    }

    String masterAddress() {
        return "127.0.0.1:" + master.port();
    }

    MountOptions options() {
        return MountOptions.from(options);
    }

    /** Opens a client of the mount in this process; the caller closes it. */
    RemotePackingFileSystem client(Bdts masters) throws IOException {
        MountOptions client = options();
        return RemotePackingFileSystem.open(
                masters, client, ObjectStores.open(client.store()), Writers.preferHost("127.0.0.1"));
    }

    /** Mounts all of it at a new directory. */
    public FuseMount mount(String name, boolean readOnly) throws IOException, InterruptedException {
        return mount(name, FilePath.ROOT, readOnly);
    }

    /** Mounts all of it by a server with more options of the mount. */
    FuseMount mount(String name, boolean readOnly, Map<String, String> more) throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(options);
        all.putAll(more);
        return new PosixMount(
                        masterAddress(),
                        FilePath.ROOT,
                        all,
                        Duration.ofSeconds(1),
                        spec(name, readOnly, MountAccessOptions.FILES),
                        BRIEF,
                        OwnerMap.NAMES)
                .start();
    }

    /** Mounts a directory of it at a new one, by a server with more options of the JVM. */
    FuseMount mount(String name, FilePath path, boolean readOnly, String... more)
            throws IOException, InterruptedException {
        return mount(name, path, readOnly, readOnly ? Duration.ofHours(1) : Duration.ofSeconds(1), more);
    }

    /** @param valid the time for which the kernel need not ask again */
    FuseMount mount(String name, FilePath path, boolean readOnly, Duration valid, String... more)
            throws IOException, InterruptedException {
        return mount(name, path, readOnly, valid, MountAccessOptions.FILES, OwnerMap.NAMES, more);
    }

    /** Mounts all of it with an operator's settings. */
    FuseMount mount(String name, MountAccessOptions access, OwnerMap owners) throws IOException, InterruptedException {
        return mount(name, FilePath.ROOT, false, Duration.ofSeconds(1), access, owners);
    }

    private FuseMount mount(
            String name,
            FilePath path,
            boolean readOnly,
            Duration valid,
            MountAccessOptions access,
            OwnerMap owners,
            String... more)
            throws IOException, InterruptedException {
        List<String> jvm = new ArrayList<>(BRIEF);
        jvm.addAll(List.of(more));
        MountSpec spec = spec(name, readOnly, access);
        return new PosixMount(masterAddress(), path, options, valid, spec, jvm, owners).start();
    }

    private MountSpec spec(String name, boolean readOnly, MountAccessOptions access) throws IOException {
        Path directory = home.resolve(name);
        if (!KernelMountTable.isDead(directory)) {
            Files.createDirectories(directory);
        }
        return new MountSpec(directory, home.resolve(name + ".state"), "test", readOnly, access, false);
    }

    @Override
    public void close() throws IOException {
        try (master;
                PackingWorker stopping = worker) {
            files.close();
        }
    }
}
