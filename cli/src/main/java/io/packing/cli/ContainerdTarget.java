// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.BdtOptions;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.layers.OpenRegistry;
import io.packing.layers.containerd.OpenedRoots;
import io.packing.layers.containerd.rpc.ContainerdPlugin;
import io.packing.layers.root.Containers;
import io.packing.layers.root.RootsMount;
import io.packing.status.FatalErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** The options of a snapshotter of containerd, and its life in this process. */
final class ContainerdTarget {
    /** The time for which a call of containerd waits for the masters. */
    private static final String PATIENCE = "10s";

    private static final String ROOTS = "roots";

    @Option(
            names = "--containerd",
            paramLabel = "SOCKET",
            description =
                    "Serve a snapshotter of containerd at this socket, and mount no DIR. The socket is root's alone, and its directory is made "
                            + "if it is not there. What is mounted stays when this process ends.")
    private Optional<Path> socket = Optional.empty();

    @Option(
            names = "--containerd-root",
            paramLabel = "DIR",
            defaultValue = "/var/lib/packing-containerd",
            description =
                    "A local directory for the snapshots of the snapshotter, which only root may enter (default: ${DEFAULT-VALUE}).")
    private Path root = Path.of("");

    /** The started snapshotter, as a script reads it. */
    record Started(String socket, String store, String root) {}

    boolean isWanted() {
        return socket.isPresent();
    }

    /** Serves until SIGTERM; returns the exit code. */
    int serve(RegistryTarget target, MountPlace place, Report report) throws IOException, InterruptedException {
        if (!FuseMount.isPossible()) {
            throw new IOException("/dev/fuse cannot be opened: load the fuse module, and serve as root");
        }
        FatalErrors.install("the snapshotter", LoggerFactory.getLogger(ContainerdTarget.class)::error);
        Path state = root.toAbsolutePath().normalize();
        Path mounted = state.resolve(ROOTS);
        boolean isOurs = target.setDefault(BdtOptions.MASTER_TIMEOUT.key(), PATIENCE);
        String text = target.text();
        ContainerdPlugin plugin = ContainerdPlugin.start(
                socket.orElseThrow(),
                state,
                mounted,
                () -> open(target, place, state, mounted, isOurs),
                Clock.systemUTC()::millis);
        CountDownLatch stopped = new CountDownLatch(1);
        // A hook, because SIGTERM ends the JVM without leaving this method.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(plugin), "stop-containerd"));
        Started started = new Started(plugin.socket().toString(), text, state.toString());
        report.print(started, out -> out.printf("snapshotter of %s at %s%n", started.store(), started.socket()));
        stopped.await();
        return ExitCodes.OK;
    }

    private static OpenedRoots open(
            RegistryTarget target, MountPlace place, Path state, Path mounted, boolean isPatienceOurs)
            throws IOException {
        RegistryTarget.Opened opened = target.open();
        OpenRegistry registry = new OpenRegistry(opened.files(), opened.base());
        try {
            Map<String, String> options = new HashMap<>(target.rawOptions());
            if (isPatienceOurs) {
                // A container's read waits for as long as on each other mount.
                options.remove(BdtOptions.MASTER_TIMEOUT.key());
            }
            MountSpec spec = new MountSpec(
                    mounted,
                    state.resolve(ROOTS + ".state"),
                    "roots of " + target.text(),
                    true,
                    MountAccessOptions.TREES,
                    true);
            List<String> jvm = place.jvmOptions(spec, RootsMount.HEAP, RootsMount.FOR_STARTS);
            return new OpenedRoots(
                    registry,
                    new Containers(registry, opened.mount().bdt()),
                    new RootsMount(target.masters(), opened.base(), options, spec, jvm),
                    opened::close);
        } catch (IOException | RuntimeException e) {
            registry.close();
            opened.close();
            throw e;
        }
    }

    private static void close(ContainerdPlugin plugin) {
        try {
            plugin.close();
        } catch (IOException e) {
            System.err.println("packing: the snapshotter did not stop cleanly: " + e.getMessage());
        }
    }
}
