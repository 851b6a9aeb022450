// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.csi.CsiDriver;
import io.packing.csi.CsiMount;
import io.packing.csi.CsiOptions;
import io.packing.csi.CsiPart;
import io.packing.status.FatalErrors;
import io.packing.status.OpenFiles;
import io.packing.version.BuildVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a CSI driver until SIGTERM. */
@Command(
        name = "csi",
        description = {
            "Runs a CSI driver until SIGTERM: volumes of Kubernetes are directories of a packing mount.",
            "A node's part needs root and /dev/fuse; what it mounted stays when it ends. Prints its endpoint when it serves; logs to a file."
        })
final class CsiCommand implements Callable<Integer> {
    @Option(
            names = "--endpoint",
            paramLabel = "unix:///FILE",
            required = true,
            description = "The socket to serve at. Only this user may connect to it.")
    private String endpoint = "";

    @Option(
            names = "--mount",
            paramLabel = "URI",
            converter = Values.Mount.class,
            description = "The directory of a mount that has the volumes, as " + MountUri.FORM + " (default: "
                    + Contexts.MOUNT_VARIABLE + ", or the current context).")
    private Optional<String> mount = Optional.empty();

    @Option(
            names = "--part",
            paramLabel = "controller|node|all|stager",
            defaultValue = "all",
            description =
                    "The part that this process has: making volumes, mounting them on this node, or both (default: ${DEFAULT-VALUE})."
                            + " A stager has the file systems of a node, for a driver with --stager that may be replaced.")
    private CsiPart part = CsiPart.ALL;

    @Option(names = "--node-id", paramLabel = "NAME", description = "The name of this node (default: its host name).")
    private Optional<String> nodeId = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "DIR",
            defaultValue = "/var/lib/packing-csi",
            description =
                    "A local directory of this driver, for what a restarted one has to know, and for the state of mounts (default: ${DEFAULT-VALUE}).")
    private Path state = Path.of("");

    @Option(
            names = "--stager",
            paramLabel = "unix:///FILE",
            description = "The endpoint of a stager, which then has the file systems.")
    private Optional<String> stager = Optional.empty();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = CsiOptions.DEFAULT_NAME,
            description =
                    "The name of the driver, which StorageClasses name as their provisioner (default: ${DEFAULT-VALUE}).")
    private String name = "";

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    /** The started driver, as a script reads it. */
    record Started(String name, String endpoint, String mount, String part) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        target.mount(mount);
        CsiOptions options = new CsiOptions(
                name,
                CsiOptions.socket(endpoint),
                part,
                target.base(),
                nodeId.isPresent() ? nodeId.get() : InetAddress.getLocalHost().getHostName(),
                state.toAbsolutePath().normalize(),
                stager.map(CsiOptions::socket));
        OpenFiles.check("the CSI driver", LoggerFactory.getLogger(CsiCommand.class)::warn);
        FatalErrors.install("the CSI driver", LoggerFactory.getLogger(CsiCommand.class)::error);
        CsiMount connected = new CsiMount(target.name(), target.given(), target.patience());
        MountPlace place = new MountPlace();
        CsiDriver driver = CsiDriver.start(options, connected, BuildVersion.text(), place::jvmOptions);
        CountDownLatch stopped = new CountDownLatch(1);
        // A hook, because SIGTERM ends the JVM without leaving this block.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(driver), "stop-csi"));
        Started started = new Started(
                name,
                "unix://" + driver.socket(),
                new MountUri(target.name(), target.base()).toString(),
                part.name().toLowerCase(Locale.ROOT));
        report.print(
                started,
                out -> out.printf(
                        "CSI driver %s (%s) of %s at %s%n",
                        started.name(), started.part(), started.mount(), started.endpoint()));
        stopped.await();
        return ExitCodes.OK;
    }

    private static void close(CsiDriver driver) {
        try {
            driver.close();
        } catch (IOException e) {
            System.err.println("packing: the CSI driver did not stop cleanly: " + e.getMessage());
        }
    }
}
