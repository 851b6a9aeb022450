// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import io.grpc.BindableService;
import io.packing.blob.FilePath;
import io.packing.csi.node.KeeperStaging;
import io.packing.csi.node.MountTerms;
import io.packing.csi.node.NodeVolumes;
import io.packing.csi.node.VolumeStaging;
import io.packing.csi.rpc.ControllerService;
import io.packing.csi.rpc.CsiNodeService;
import io.packing.csi.rpc.GroupService;
import io.packing.csi.rpc.IdentityService;
import io.packing.csi.rpc.PendingCalls;
import io.packing.csi.rpc.RemoteStaging;
import io.packing.csi.rpc.StagingService;
import io.packing.csi.volume.CsiGroups;
import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiSnapshots;
import io.packing.csi.volume.CsiTree;
import io.packing.csi.volume.CsiVolumes;
import io.packing.csi.volume.VolumeLimits;
import io.packing.durable.OwnerOnly;
import io.packing.fuse.mount.MountSpec;
import io.packing.transport.UnixSocketChannel;
import io.packing.transport.UnixSocketServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A running driver, at its socket. What it mounted stays when it ends. */
public final class CsiDriver implements AutoCloseable {
    private static final int MOST_CALLS = 16;
    private static final int CLUSTER_DIGITS = 16;
    private static final String MOUNTS = "mounts";
    private static final String STAGED = "staged";

    private final UnixSocketServer server;
    private final CsiMount mount;
    private final ExecutorService beside;
    private final Optional<UnixSocketChannel> stager;

    private CsiDriver(
            UnixSocketServer server, CsiMount mount, ExecutorService beside, Optional<UnixSocketChannel> stager) {
        this.server = server;
        this.mount = mount;
        this.beside = beside;
        this.stager = stager;
    }

    /** The configuration of file systems of volumes. */
    private record Terms(CsiMount mount, CsiTree tree, Function<MountSpec, List<String>> jvm) implements MountTerms {
        @Override
        public String masters() {
            return mount.masters();
        }

        @Override
        public Map<String, String> options() throws IOException {
            return mount.options();
        }

        @Override
        public FilePath data(CsiId volume) {
            return tree.data(CsiTree.Kind.VOLUME, volume.key());
        }

        @Override
        public List<String> jvmOptions(MountSpec spec) {
            return jvm.apply(spec);
        }
    }

    /**
     * Starts a driver. It closes the mount when it is closed.
     *
     * @param version that it tells orchestrators
     * @param jvm gives the options of the JVM that serves a mount
     */
    public static CsiDriver start(
            CsiOptions options, CsiMount mount, String version, Function<MountSpec, List<String>> jvm)
            throws IOException, InterruptedException {
        ExecutorService beside = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "csi-quotas");
            thread.setDaemon(true);
            return thread;
        });
        Optional<UnixSocketChannel> stager = options.stager().isPresent()
                ? Optional.of(UnixSocketChannel.open(options.stager().get()))
                : Optional.empty();
        try {
            CsiTree tree = new CsiTree(mount, options.base(), CsiDriver::newCluster);
            List<BindableService> services = new ArrayList<>();
            services.add(
                    new IdentityService(options.name(), version, options.part().isController(), mount));
            PendingCalls pending = new PendingCalls();
            Clock clock = Clock.systemUTC();
            CsiSnapshots snapshots = new CsiSnapshots(tree, clock);
            VolumeLimits limits = new VolumeLimits(tree, beside);
            CsiVolumes volumes = new CsiVolumes(tree, snapshots, limits);
            if (options.part().isController()) {
                services.add(new ControllerService(volumes, snapshots, pending));
                services.add(new GroupService(new CsiGroups(tree, snapshots, clock), pending));
            }
            Terms terms = new Terms(mount, tree, jvm);
            if (options.part() == CsiPart.STAGER) {
                services.add(new StagingService(keepers(options, terms), pending));
            }
            if (options.part().isNode()) {
                Path state = OwnerOnly.directory(options.state());
                VolumeStaging staging =
                        stager.isPresent() ? new RemoteStaging(stager.get().channel()) : keepers(options, terms);
                NodeVolumes node = new NodeVolumes(staging, state.resolve(STAGED));
                node.mendAll();
                services.add(new CsiNodeService(options.nodeId(), node, volumes, limits, pending));
            }
            return new CsiDriver(UnixSocketServer.start(options.socket(), MOST_CALLS, services), mount, beside, stager);
        } catch (IOException | RuntimeException e) {
            beside.shutdownNow();
            stager.ifPresent(UnixSocketChannel::close);
            throw e;
        }
    }

    private static VolumeStaging keepers(CsiOptions options, Terms terms) throws IOException {
        return new KeeperStaging(terms, OwnerOnly.directory(options.state()).resolve(MOUNTS));
    }

    private static String newCluster() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, CLUSTER_DIGITS);
    }

    public Path socket() {
        return server.socket();
    }

    @Override
    public void close() throws IOException {
        try (mount) {
            server.close();
        } finally {
            beside.shutdown();
            stager.ifPresent(UnixSocketChannel::close);
        }
    }
}
