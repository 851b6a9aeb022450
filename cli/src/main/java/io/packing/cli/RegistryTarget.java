package io.packing.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.registry.files.MountFiles;
import io.packing.registry.files.RegistryFiles;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.ReadMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The mount and the directory in it that a registry is kept in. */
final class RegistryTarget {
    // Not required: commands below this one have options of their own, and say by themselves what is missing.
    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "Where the registry is kept: packing://HOST:PORT/PATH, the BDT master and a directory of the"
                    + " mount.")
    private URI store = URI.create("");

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description =
                    "A mount option, as at the mount; packing.store is needed. May be repeated. Keys of the store are"
                            + " taken from " + MountTarget.ACCESS_VARIABLE + " and " + MountTarget.SECRET_VARIABLE
                            + ", or else from AWS's default credentials chain.")
    private Map<String, String> options = new LinkedHashMap<>();

    /** An open mount. */
    record Opened(GrpcBdts master, RemotePackingFileSystem mount, MountOptions options, FilePath base)
            implements AutoCloseable {
        RegistryFiles files() {
            return new MountFiles(mount, options);
        }

        @Override
        public void close() throws IOException {
            try (master) {
                mount.close();
            }
        }
    }

    /** The URI as it was given. */
    String text() {
        return store.toString();
    }

    /** The address of the BDT master. */
    String master() {
        return store.getAuthority();
    }

    /** The options of the mount, with the credentials of its store. */
    Map<String, String> rawOptions() {
        return MountTarget.withCredentials(options, System.getenv());
    }

    /**
     * Returns the registry's directory in the mount.
     *
     * @throws IllegalArgumentException when the URI is missing or another one
     */
    private FilePath base() {
        try {
            return FilePath.normalise(check(store).getPath());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--store: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the URI when it names a place for a registry.
     *
     * @throws IllegalArgumentException when it does not say where a registry can be
     */
    static URI check(URI store) {
        if (!"packing".equals(store.getScheme()) || store.getAuthority() == null) {
            throw new IllegalArgumentException(
                    "'%s' is not packing://HOST:PORT/PATH, with the BDT master's address".formatted(store));
        }
        FilePath.normalise(store.getPath()).whyNotForUsers().ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        return store;
    }

    /** Opens the mount. */
    Opened open() throws IOException {
        return open(new SimpleMeterRegistry());
    }

    /** Opens the mount, and measures its reads and its requests to the store. */
    Opened open(MeterRegistry meters) throws IOException {
        FilePath base = base();
        MountOptions mount = MountOptions.from(rawOptions());
        GrpcBdts master = GrpcBdts.connect(store.getAuthority(), mount.masterTimeout(), mount.security());
        try {
            return new Opened(master, open(master, mount, meters), mount, base);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    private static RemotePackingFileSystem open(GrpcBdts master, MountOptions mount, MeterRegistry meters)
            throws IOException {
        ReadMetrics metrics = new ReadMetrics(meters, mount.store().location().text());
        return RemotePackingFileSystem.open(
                master,
                mount,
                store -> ObjectStores.open(store, metrics),
                Writers.preferHost(InetAddress.getLocalHost().getHostName()),
                metrics);
    }
}
