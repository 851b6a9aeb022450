// SPDX-License-Identifier: Apache-2.0
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
import java.util.Optional;
import picocli.CommandLine.Option;

/** The mount and the directory in it that a registry is kept in. */
final class RegistryTarget extends DaemonMount {
    /** The description of an argument that is the place of a registry. */
    static final String PLACE = "Where the registry is kept: a directory of a mount, as " + MountUri.FORM
            + " (default: " + Contexts.MOUNT_VARIABLE + ", or the current context).";

    // What earlier versions took; the next version does without it.
    @Option(
            names = "--store",
            paramLabel = "URI",
            hidden = true,
            converter = Values.Mount.class,
            description = "Where the registry is kept; an argument says the same now.")
    private Optional<String> store = Optional.empty();

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

    /**
     * Takes the registry's place, if an argument names it.
     *
     * @throws IllegalArgumentException when no registry can be there
     */
    void at(Optional<String> place) throws IOException {
        store.ifPresent(old -> tellReplaced("--store", "the argument " + MountUri.FORM));
        mount(place.or(() -> store));
        base().whyNotForUsers().ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
    }

    /** Opens the mount. */
    Opened open() throws IOException {
        return open(new SimpleMeterRegistry());
    }

    /** Opens the mount, and measures its reads and its requests to the store. */
    Opened open(MeterRegistry meters) throws IOException {
        FilePath base = base();
        MountOptions mount = MountOptions.from(rawOptions());
        GrpcBdts master = GrpcBdts.connect(masters(), mount.timeouts().master(), mount.security());
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
