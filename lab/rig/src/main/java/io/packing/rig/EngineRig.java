// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import io.packing.bdt.client.GrpcBdts;
import io.packing.process.JavaProcess;
import io.packing.store.EnvironmentKeys;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.StoreOptions;
import io.packing.storeservers.DistantWire;
import io.packing.storeservers.NetworkLink;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.ReadCaches;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An S3 server, a BDT master and workers, each a process: the engine without Alluxio. */
public record EngineRig(S3Process s3, String masterAddress, Map<String, String> mountOptions) {
    /** The prefix of the bucket that packing stores below. */
    public static final String PACKED = "packed";
    /** The directory of the mount that a registry is kept in. */
    public static final String REGISTRY = "/registry";
    /** The prefix for one object per file. */
    public static final String DIRECT = "direct";

    private static final int REGISTRY_MEGABYTES = 1024;
    /** Several of them run at once. */
    private static final int NODE_MEGABYTES = 256;

    private static final int KEEPER_MEGABYTES = 64;

    private static final Duration LONGEST_RUN = Duration.ofMinutes(30);
    private static final Map<String, String> SECRETS =
            Map.of(EnvironmentKeys.ACCESS, S3Process.ACCESS_KEY, EnvironmentKeys.SECRET, S3Process.SECRET_KEY);

    /** Starts all of it; the workspace stops it. */
    public static EngineRig start(
            Workspace workspace, S3Process.Limits limits, int workers, Map<String, String> mountOptions)
            throws IOException, InterruptedException {
        return start(workspace, limits, workers, mountOptions, List.of());
    }

    /** Starts a rig with master and store at the far end of a wire, which is also between these two. */
    public static EngineRig start(
            Workspace workspace,
            S3Process.Limits limits,
            int workers,
            Map<String, String> mountOptions,
            DistantWire wire)
            throws IOException, InterruptedException {
        return start(workspace, limits, workers, mountOptions, List.of(), wire);
    }

    /**
     * Starts a rig with options of the master.
     *
     * @param masterOptions as KEY=VALUE
     */
    public static EngineRig start(
            Workspace workspace,
            S3Process.Limits limits,
            int workers,
            Map<String, String> mountOptions,
            List<String> masterOptions)
            throws IOException, InterruptedException {
        try (DistantWire none = new DistantWire(NetworkLink.NONE)) {
            return start(workspace, limits, workers, mountOptions, masterOptions, none);
        }
    }

    private static EngineRig start(
            Workspace workspace,
            S3Process.Limits limits,
            int workers,
            Map<String, String> mountOptions,
            List<String> masterOptions,
            DistantWire wire)
            throws IOException, InterruptedException {
        S3Process near = S3Process.start(workspace, limits);
        S3Process s3 = near.at(wire.to(near.endpoint()));
        Map<String, String> options = new LinkedHashMap<>(s3.storeOptions(PACKED));
        options.putAll(mountOptions);
        EngineRig rig = new EngineRig(
                s3,
                wire.to(Servers.startBdtMaster(workspace, s3.allowed(PACKED), masterOptions.toArray(String[]::new))
                        .address()),
                Map.copyOf(options));
        for (int i = 0; i < workers; i++) {
            JavaProcess unused = rig.startWorker(workspace, "worker-" + i);
        }
        return rig;
    }

    /**
     * Starts a worker; returns when it serves.
     *
     * @param id of a new worker, or of one that was killed, whose buffer it goes on with
     */
    public JavaProcess startWorker(Workspace workspace, String id) throws IOException, InterruptedException {
        return Servers.startWorker(workspace, id, masterAddress, openOptions(), SECRETS);
    }

    /** A registry over the mount, as a process. */
    public record Registry(JavaProcess process, URI uri, URI metrics) {}

    /**
     * Starts a registry.
     *
     * @param flags beside those that say where it listens and what it is over
     */
    public Registry startRegistry(Workspace workspace, String name, List<String> flags)
            throws IOException, InterruptedException {
        return startRegistry(workspace, name, REGISTRY, flags);
    }

    /**
     * Starts a registry that shares nothing with those in other directories of the mount.
     *
     * @param directory of the mount, that it is kept in
     * @param flags beside those that say where it listens and what it is over
     */
    public Registry startRegistry(Workspace workspace, String name, String directory, List<String> flags)
            throws IOException, InterruptedException {
        return startRegistry(workspace, name, "127.0.0.1:0", directory, REGISTRY_MEGABYTES, flags);
    }

    /**
     * Starts a registry that is a node with a store of its own.
     *
     * @param bind where the others expect it
     * @param flags that say so
     */
    public Registry startNode(Workspace workspace, String name, String bind, List<String> flags)
            throws IOException, InterruptedException {
        return startRegistry(workspace, name, bind, REGISTRY, NODE_MEGABYTES, flags);
    }

    private Registry startRegistry(
            Workspace workspace, String name, String bind, String directory, int megabytes, List<String> flags)
            throws IOException, InterruptedException {
        String store = "packing://" + masterAddress + directory;
        List<String> words =
                new ArrayList<>(List.of("registry", "--bind", bind, "--metrics-port", "0", "--store", store));
        openOptions().forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        words.addAll(flags);
        JavaProcess process = Servers.startCommand(workspace, name, megabytes, words, SECRETS);
        URI uri = URI.create(process.awaitLine("registry of %s at ".formatted(store), Servers.START));
        return new Registry(process, uri, URI.create(process.awaitLine("metrics at ", Servers.START)));
    }

    /**
     * Starts a snapshotter of containerd over the registry, as an operator does; returns its process once it serves.
     *
     * @param socket where it serves
     * @param root of its snapshots
     */
    public JavaProcess startSnapshotter(Workspace workspace, String name, Path socket, Path root)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "layers",
                "packing://" + masterAddress + REGISTRY,
                "--containerd",
                socket.toString(),
                "--containerd-root",
                root.toString()));
        openOptions().forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        JavaProcess process = Servers.startCommand(workspace, name, NODE_MEGABYTES, words, SECRETS);
        String unused = process.awaitLine("snapshotter of ", Servers.START);
        return process;
    }

    /**
     * Mounts the root for the kernel, as {@code packing mount} does; returns when it answers.
     *
     * @param directory that exists
     * @param flags beside those that say what and where
     */
    public JavaProcess mount(Workspace workspace, String name, Path directory, List<String> flags)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "mount",
                "packing://" + masterAddress + "/",
                directory.toString(),
                "--state",
                workspace.directory().resolve(name + ".state").toString()));
        openOptions().forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        words.addAll(flags);
        JavaProcess process = Servers.startCommand(workspace, name, KEEPER_MEGABYTES, words, SECRETS);
        String unused = process.awaitLine("packing://", Servers.START);
        return process;
    }

    /** Returns the options of the mount without its secrets. */
    public Map<String, String> openOptions() {
        Map<String, String> open = new LinkedHashMap<>(mountOptions);
        open.keySet().removeAll(List.of(StoreOptions.ACCESS_KEY.key(), StoreOptions.SECRET_KEY.key()));
        return open;
    }

    /** A new client of the mount, with a cold cache. */
    public Client client() throws IOException {
        return new Target(masterAddress, mountOptions).client(new ReadCaches());
    }

    /**
     * Runs a main class in a process of its own, which reaches the store as {@link Target#ofEnvironment} says.
     *
     * @param word its only argument
     * @param result how the line begins that it prints at its end; the rest of that line is returned
     */
    public static String run(Workspace workspace, String name, Class<?> main, int megabytes, String word, String result)
            throws IOException, InterruptedException {
        return Servers.start(workspace, name, main.getName(), megabytes, List.of(word), SECRETS)
                .awaitLine(result, LONGEST_RUN);
    }

    /** A mount and its master. */
    public record Target(String master, Map<String, String> options) {
        /** A mount as {@link EngineRig#openOptions} has it, with the credentials of this process's environment. */
        public static Target ofEnvironment(String master, Map<String, String> open) {
            Map<String, String> options = new LinkedHashMap<>(open);
            options.put(StoreOptions.ACCESS_KEY.key(), System.getenv().getOrDefault(EnvironmentKeys.ACCESS, ""));
            options.put(StoreOptions.SECRET_KEY.key(), System.getenv().getOrDefault(EnvironmentKeys.SECRET, ""));
            return new Target(master, options);
        }

        /** A new client, with these caches. */
        public Client client(ReadCaches caches) throws IOException {
            MountOptions parsed = MountOptions.from(options);
            GrpcBdts bdts = GrpcBdts.connect(master, Servers.START);
            return new Client(
                    bdts,
                    RemotePackingFileSystem.open(
                            bdts, parsed, ObjectStores::open, Writers.preferHost("127.0.0.1"), caches));
        }
    }

    /** Opens the part of the bucket without packing: one object per file. */
    public ObjectStore direct() throws IOException {
        return ObjectStores.open(StoreOptions.from(s3.storeOptions(DIRECT)));
    }

    /** Opens the part of the bucket that packing writes. */
    public ObjectStore packed() throws IOException {
        return ObjectStores.open(StoreOptions.from(s3.storeOptions(PACKED)));
    }

    /** A client and the connection it uses. */
    public record Client(GrpcBdts bdts, RemotePackingFileSystem mount) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try (bdts) {
                mount.close();
            }
        }
    }
}
