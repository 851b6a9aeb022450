// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd.rpc;

import io.grpc.StatusRuntimeException;
import io.packing.durable.OwnerOnly;
import io.packing.layers.containerd.ContainerdSnapshots;
import io.packing.layers.containerd.MountedRoots;
import io.packing.layers.containerd.rpc.v1.ListSnapshotsRequest;
import io.packing.layers.containerd.rpc.v1.SnapshotsGrpc;
import io.packing.transport.UnixSocketChannel;
import io.packing.transport.UnixSocketServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running snapshotter at its socket: a proxy plugin of containerd. What is mounted stays when it ends. */
public final class ContainerdPlugin implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerdPlugin.class);
    private static final int MOST_CALLS = 16;
    private static final long FIRST_CALL_SECONDS = 10;
    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    private final UnixSocketServer server;
    private final ContainerdSnapshots snapshots;
    private final MountedRoots roots;

    private ContainerdPlugin(UnixSocketServer server, ContainerdSnapshots snapshots, MountedRoots roots) {
        this.server = server;
        this.snapshots = snapshots;
        this.roots = roots;
    }

    /**
     * Starts a snapshotter.
     *
     * @param socket in a directory that is made for root alone if it is missing
     * @param state the directory of the snapshots
     * @param mounted where the roots of images are mounted
     * @param millis the time, milliseconds since the epoch
     */
    public static ContainerdPlugin start(
            Path socket, Path state, Path mounted, MountedRoots.RootsOpener opener, LongSupplier millis)
            throws IOException {
        Path above = socket.toAbsolutePath().normalize().getParent();
        if (above == null) {
            throw new IOException("%s is no path of a socket".formatted(socket));
        }
        if (Files.notExists(above)) {
            Path unused = OwnerOnly.directory(above);
        }
        if (Files.notExists(state)) {
            Path unused = OwnerOnly.directory(state);
        } else if (!OWN.containsAll(Files.getPosixFilePermissions(state))) {
            throw new IOException(
                    "other users may enter %s, where the files of containers are: chmod 700 %s, or name a directory that is not there yet"
                            .formatted(state, state));
        }
        MountedRoots roots = MountedRoots.of(state, mounted, opener);
        ContainerdSnapshots snapshots = ContainerdSnapshots.open(state, roots, millis);
        try {
            UnixSocketServer server =
                    UnixSocketServer.start(socket, MOST_CALLS, List.of(new SnapshotService(snapshots)));
            rehearse(server.socket());
            roots.mountAhead();
            return new ContainerdPlugin(server, snapshots, roots);
        } catch (IOException | RuntimeException e) {
            snapshots.close();
            throw e;
        }
    }

    /**
     * Makes a first call. A client's first connection to a new Java process took more than a second on a busy machine, after which containerd
     * fails the call that waits for it.
     */
    private static void rehearse(Path socket) throws IOException {
        try (UnixSocketChannel channel = UnixSocketChannel.open(socket)) {
            SnapshotsGrpc.newBlockingStub(channel.channel())
                    .withDeadlineAfter(FIRST_CALL_SECONDS, TimeUnit.SECONDS)
                    .list(ListSnapshotsRequest.getDefaultInstance())
                    .forEachRemaining(each -> LOG.debug("has {} snapshots", each.getInfoCount()));
        } catch (StatusRuntimeException e) {
            LOG.warn("the first call was not answered: {}", e.toString());
        }
    }

    public Path socket() {
        return server.socket();
    }

    @Override
    public void close() throws IOException {
        try (roots;
                snapshots) {
            server.close();
        }
    }
}
