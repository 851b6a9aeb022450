// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.operations.adopt.RefusedKey;
import io.packing.operations.adopt.Repack;
import io.packing.operations.adopt.RepackLimits;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PlacedStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Packs the bytes of small adopted files. */
@Command(
        name = "repack",
        description = {
            "Packs small adopted files: reads their bytes from the objects that have them, and writes these into blobs.",
            "It goes through the tree in its order until the budget is used; the next run goes on with the other files.",
            "The objects stay as they are: snapshots may have them still. A file whose object has changed or is gone is named, and"
                    + " stays as it is (exit code 1)."
        })
final class RepackCommand implements Callable<Integer> {
    private static final int MOST_SHOWN = 1_000;

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Parameters(paramLabel = "PATH", description = "The file or directory, or " + MountUri.FORM + ".")
    private String path = "";

    @Option(
            names = "--budget",
            required = true,
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "The most bytes of files that this run reads and writes, such as 10GB.")
    private long budget;

    @Option(
            names = "--smaller-than",
            defaultValue = "1MB",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "Leave files of more bytes where they are (default: ${DEFAULT-VALUE}; at most 4MB).")
    private long smallerThan;

    @Option(
            names = "--older-than",
            defaultValue = "0s",
            paramLabel = "DURATION",
            converter = TimeSpan.class,
            description = "Leave files that were modified later where they are (default: ${DEFAULT-VALUE}).")
    private Duration olderThan = Duration.ZERO;

    /**
     * The result, as printed.
     *
     * @param failed files whose objects have changed or gone
     * @param failures the first of them, by path
     */
    record Repacked(
            long files,
            long bytes,
            long blobs,
            long failed,
            double seconds,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Failure> failures) {}

    /** A file that stays as it is. */
    record Failure(String path, String reason) {}

    @Override
    public Integer call() throws IOException {
        FilePath top = target.path(path);
        long start = System.nanoTime();
        long newest = Clock.systemUTC().millis() - olderThan.toMillis();
        List<Failure> failures = new ArrayList<>();
        Path scratch = Files.createTempDirectory("packing-repack");
        Repack.Counts counts;
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options());
                ObjectStore store = PlacedStores.open(bdt, MountOptions.from(target.options()), ObjectStores::open);
                ProgressBar bar = new Narrator(report.isJson()).bar("packing files", -1);
                Repack repack = new Repack(
                        bdt,
                        store,
                        new RepackLimits(
                                budget,
                                smallerThan,
                                newest,
                                MountOptions.from(target.options()).pack().blobMaxBytes()),
                        scratch,
                        AdoptCommand::micros,
                        each -> failed(each, failures),
                        bar::stepBy)) {
            counts = repack.run(top);
        } finally {
            Files.deleteIfExists(scratch);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Repacked repacked =
                new Repacked(counts.files(), counts.bytes(), counts.blobs(), counts.failed(), seconds, failures);
        report.print(
                repacked,
                out -> out.printf(
                        "%,d files of %,d bytes packed into %,d blobs in %.1f s, %,d objects have changed or gone%n",
                        repacked.files(), repacked.bytes(), repacked.blobs(), repacked.seconds(), repacked.failed()));
        return repacked.failed() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private void failed(RefusedKey failed, List<Failure> failures) {
        if (failures.size() < MOST_SHOWN) {
            failures.add(new Failure(failed.key(), failed.reason()));
        }
        report.err().printf("packing: %s: %s%n", failed.key(), failed.reason());
        report.err().flush();
    }
}
