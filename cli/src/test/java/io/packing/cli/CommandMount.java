// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Bdt;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.registry.files.MountFiles;
import io.packing.registry.files.RegistryFiles;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A mount of a master and a worker of this JVM, and commands that are given to it. */
final class CommandMount implements AutoCloseable {
    private final BdtMaster master;
    private final PackingWorker worker;
    private final PackingFileSystem mount;
    private final String store;
    /** The keystore's place; empty: the mount has none. */
    private final String keystore;

    private CommandMount(
            BdtMaster master, PackingWorker worker, PackingFileSystem mount, String store, String keystore) {
        this.keystore = keystore;
        this.master = master;
        this.worker = worker;
        this.mount = mount;
        this.store = store;
    }

    static CommandMount start(Path home) throws IOException {
        return start(home, Map.of());
    }

    /** With more options of the mount. */
    static CommandMount start(Path home, Map<String, String> more) throws IOException {
        String store = Files.createDirectories(home.resolve("store")).toUri().toString();
        String keystore = more.getOrDefault("packing.encryption.keystore", "");
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("bdt").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        store + "," + home.resolve("moved").toUri(),
                        "bdt.encryption.keystore",
                        keystore)))
                .serve();
        try {
            PackingWorker worker = PackingWorker.start(
                    new WorkerOptions("w1", home.resolve("buffer"), "127.0.0.1", 0),
                    master,
                    ObjectStores::open,
                    Clock.systemUTC(),
                    new SimpleMeterRegistry());
            Map<String, String> options = new HashMap<>(
                    Map.of("packing.store", store, "packing.seal.after", "1h", "packing.seal.quiet", "0s"));
            options.putAll(more);
            PackingFileSystem mount = worker.open(MountOptions.from(options));
            return new CommandMount(master, worker, mount, store, keystore);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** Runs a command, or one below it after a space, with these words; the environment says which mount. */
    CommandRun run(String command, String... words) {
        List<String> all = new ArrayList<>(List.of(command.split(" ", -1)));
        if (!keystore.isEmpty()) {
            all.addAll(List.of("--option", "packing.encryption.keystore=" + keystore));
        }
        all.addAll(List.of(words));
        return CommandRun.of(Map.of(Contexts.MOUNT_VARIABLE, uri()), all.toArray(String[]::new));
    }

    /** Returns the URI of the mount. */
    String uri() {
        return "packing://" + master() + "/";
    }

    /** Runs a command of registries on the directory {@code /registry}. */
    CommandRun registry(String command, String... words) {
        List<String> all = new ArrayList<>(List.of("registry", command));
        all.add(uri() + "registry");
        all.addAll(List.of(words));
        return CommandRun.of(all.toArray(String[]::new));
    }

    void write(String path, byte[] bytes) throws IOException {
        try (PackingOutput out =
                mount.create(new FilePath(path), new CreateOptions("hdfs", "hadoop", 0644, true, true))) {
            out.write(bytes);
        }
    }

    /** The address of the master. */
    String master() {
        return "127.0.0.1:" + master.port();
    }

    /** Ends the master: calls for the table fail from now on. */
    void stopMaster() {
        master.close();
    }

    /** The mount for a registry of this JVM. */
    RegistryFiles registryFiles() {
        return new MountFiles(mount, MountOptions.from(Map.of("packing.store", store)));
    }

    /** Returns the URI of the mount's blobs. */
    String store() {
        return store;
    }

    /** The table of the mount. */
    Bdt bdt() {
        return mount.bdt();
    }

    PackingInput open(FilePath path) throws IOException {
        return mount.open(path);
    }

    /** Pushes all that is buffered. */
    void flush() throws IOException {
        mount.flush();
    }

    byte[] read(String path) throws IOException {
        try (PackingInput in = mount.open(new FilePath(path))) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining() && in.read(all.position(), all) > 0) {
                // Reads on.
            }
            if (all.hasRemaining()) {
                throw new IOException("%s ends %d bytes early".formatted(path, all.remaining()));
            }
            return all.array();
        }
    }

    boolean has(String path) throws IOException {
        return mount.bdt().stat(new FilePath(path)).isPresent();
    }

    /** Why a tree is not deleted; empty: it was. */
    String deleteFailure(String path) throws IOException {
        try {
            Outcome outcome = mount.bdt().delete(new FilePath(path), true);
            return outcome == Outcome.DONE ? "" : outcome.toString();
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The version of a file, as a vector names it. */
    String version(String path) throws IOException {
        return mount.bdt().stat(new FilePath(path)).orElseThrow().version().toString();
    }

    @Override
    public void close() throws IOException {
        try (master;
                worker) {
            mount.close();
        }
    }
}
