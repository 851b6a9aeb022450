// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.google.common.net.HostAndPort;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.nbd.NbdKeys;
import io.packing.nbd.NbdServer;
import io.packing.status.FatalErrors;
import io.packing.status.OpenFiles;
import io.packing.store.ObjectStores;
import io.packing.volumes.Volume;
import io.packing.volumes.VolumeExport;
import io.packing.volumes.VolumeMemory;
import io.packing.volumes.VolumeSharing;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves a volume until SIGTERM. */
@Command(
        name = "serve",
        description = {
            "Serves a volume as a block device over NBD until SIGTERM. It syncs then what clients have written.",
            "A volume has one server that writes. Prints its address when it serves; logs to a file. Writes need a worker."
        })
final class VolumeServeCommand implements Callable<Integer> {
    /** The variable with the keystore's password: every user of the machine sees a command line. */
    static final String PASSWORD_VARIABLE = "PACKING_VOLUME_KEYSTORE_PASSWORD";

    @Mixin
    private DaemonMount target = new DaemonMount();

    @Parameters(
            paramLabel = "PATH",
            converter = Values.Mount.class,
            description = "The volume, as " + MountUri.FORM + ".")
    private String path = "";

    @Option(
            names = "--bind",
            paramLabel = "HOST:PORT",
            converter = BindAddress.class,
            defaultValue = "127.0.0.1:10809",
            description = "Where to listen (default: ${DEFAULT-VALUE}); port 0 chooses one.")
    private String bind = "";

    @Option(names = "--read-only", description = "Refuse changes. Any number of such servers may serve a volume.")
    private boolean readOnly;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "A PKCS#12 file with key and certificate, whose password is in " + PASSWORD_VARIABLE
                    + ": clients must speak TLS. Without it the server speaks plainly.")
    private Optional<Path> keystore = Optional.empty();

    @Option(
            names = "--dedup",
            description = "Let blocks of 4 KB that are written share the bytes of equal ones of the volume.")
    private boolean dedup;

    @Option(
            names = "--dedup-from",
            paramLabel = "PATH",
            description =
                    "… and of this file of the mount, as it is now, such as an image that the volume resembles. May be repeated.")
    private List<String> dedupFrom = List.of();

    @Option(
            names = "--dedup-blocks",
            paramLabel = "N",
            defaultValue = "1048576",
            description =
                    "Blocks that the server knows at most, each for 16 bytes of memory (default: ${DEFAULT-VALUE}, which are 4 GB).")
    private int dedupBlocks;

    @Mixin
    private Report report = new Report();

    /** The started server, as a script reads it. */
    record Started(String uri, String volume, long size, boolean readOnly) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        HostAndPort listening = BindAddress.parse(bind);
        target.mount(Optional.of(path));
        VolumeSharing sharing = sharing();
        Optional<SSLContext> tls = tls();
        OpenFiles.check("the server of volumes", LoggerFactory.getLogger(VolumeServeCommand.class)::warn);
        FatalErrors.install("the server of volumes", LoggerFactory.getLogger(VolumeServeCommand.class)::error);
        MountOptions mount = MountOptions.from(target.rawOptions());
        warnIfOpen(listening.getHost(), tls.isPresent());
        ExecutorService background = Executors.newSingleThreadExecutor(VolumeServeCommand::daemon);
        CountDownLatch stopped = new CountDownLatch(1);
        try (GrpcBdts bdts =
                        GrpcBdts.connect(target.masters(), mount.timeouts().master(), mount.security(), target::tell);
                RemotePackingFileSystem files = RemotePackingFileSystem.open(
                        bdts,
                        mount,
                        ObjectStores::open,
                        Writers.preferHost(InetAddress.getLocalHost().getHostName()))) {
            Volume volume = Volume.open(files, target.base(), readOnly, VolumeMemory.USUAL, sharing, background);
            NbdServer server = NbdServer.start(
                    new InetSocketAddress(listening.getHost(), listening.getPort()),
                    new VolumeExport(target.base(), volume),
                    tls);
            // A hook, because SIGTERM ends the JVM without leaving this block.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server, volume), "stop-volume"));
            HostAndPort address = HostAndPort.fromParts(listening.getHost(), server.port());
            Started started = new Started(
                    (tls.isPresent() ? "nbds://" : "nbd://") + address,
                    target.text(),
                    volume.size(),
                    volume.isReadOnly());
            report.print(
                    started,
                    out -> out.println("volume %s of %,d bytes at %s%s"
                            .formatted(
                                    started.volume(),
                                    started.size(),
                                    started.uri(),
                                    started.readOnly() ? ", read-only" : "")));
            stopped.await();
        } finally {
            background.shutdown();
        }
        return ExitCodes.OK;
    }

    private VolumeSharing sharing() throws IOException {
        if (!dedup && dedupFrom.isEmpty()) {
            return VolumeSharing.NONE;
        }
        if (readOnly || dedupBlocks < 1) {
            throw new IllegalArgumentException("--dedup: not with --read-only, and with a block at least");
        }
        FilePath volume = target.base();
        List<FilePath> from = new ArrayList<>();
        for (String file : dedupFrom) {
            from.add(MountUri.isOne(file) ? target.path(file) : FilePath.normalise(file));
        }
        // A path among the options does not change which volume is served.
        target.mount(Optional.of(path));
        if (from.contains(volume)) {
            throw new IllegalArgumentException("--dedup-from: the volume shares with itself by --dedup");
        }
        return new VolumeSharing(dedupBlocks, from);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "volume-renewal");
        thread.setDaemon(true);
        return thread;
    }

    private Optional<SSLContext> tls() throws IOException {
        if (keystore.isEmpty()) {
            return Optional.empty();
        }
        String password = System.getenv().getOrDefault(PASSWORD_VARIABLE, "");
        if (password.isEmpty()) {
            throw new IllegalArgumentException("--tls-keystore: %s has no password".formatted(PASSWORD_VARIABLE));
        }
        return Optional.of(NbdKeys.read(keystore.get(), password));
    }

    /** Warns of an address of the network: each client that reaches it reads and writes the volume. */
    private void warnIfOpen(String host, boolean encrypted) throws IOException {
        if (!InetAddress.getByName(host).isLoopbackAddress()) {
            String warning = "each client that reaches %s reads and writes the volume%s"
                    .formatted(host, encrypted ? "" : ", in the open");
            LoggerFactory.getLogger(VolumeServeCommand.class).warn(warning);
            target.tell("warning: " + warning);
        }
    }

    /** Ends the connections first, so that the last sync has all that was answered. */
    private static void close(NbdServer server, Volume volume) {
        try (volume) {
            server.close();
            if (volume.sharedBytes() > 0 || volume.zeroBytes() > 0) {
                LoggerFactory.getLogger(VolumeServeCommand.class)
                        .info(
                                "{} bytes of blocks share those of equal ones, and {} bytes of zeros are holes",
                                volume.sharedBytes(),
                                volume.zeroBytes());
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(VolumeServeCommand.class).error("the volume did not stop cleanly", e);
            System.err.println("packing: the volume did not stop cleanly: " + e.getMessage());
        }
    }
}
