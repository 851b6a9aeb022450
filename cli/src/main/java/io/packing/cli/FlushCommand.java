package io.packing.cli;

import io.packing.bdt.client.GrpcBlobDirectories;
import io.packing.store.ObjectStores;
import io.packing.worker.MountOptions;
import io.packing.worker.RemotePackingFileSystem;
import io.packing.worker.Writers;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes everything that is buffered durable now. */
@Command(
        name = "flush",
        description = {
            "Makes every live worker of a mount seal and push what it buffers, and returns when all of it is in the",
            "backing store and committed."
        })
final class FlushCommand implements Callable<Integer> {
    @Option(names = "--master", paramLabel = "HOST:PORT", required = true, description = "The BDT master.")
    private String master = "";

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            required = true,
            description = "A mount option, as at the mount; packing.store is needed. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long to try to reach the master (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Mixin
    private Report report = new Report();

    /** What is still buffered afterwards: files closed since, or held by workers that are gone. */
    record Flushed(int workers, long bufferedFiles, double seconds) {}

    @Override
    public Integer call() throws IOException {
        var start = System.nanoTime();
        var mountOptions = MountOptions.from(options);
        try (var directories = GrpcBlobDirectories.connect(master, Duration.ofSeconds(timeoutSeconds));
                var mount = RemotePackingFileSystem.open(
                        directories, mountOptions, ObjectStores.open(mountOptions.store()), Writers.preferHost(""))) {
            var workers = mount.directory().workers().size();
            mount.flush();
            var flushed = new Flushed(
                    workers, mount.directory().statistics().bufferedFiles(), (System.nanoTime() - start) / 1e9);
            report.print(
                    flushed,
                    out -> out.printf(
                            "flushed %d workers in %.1f s; %d files are buffered now%n",
                            flushed.workers(), flushed.seconds(), flushed.bufferedFiles()));
        }
        return ExitCodes.OK;
    }
}
