// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Narrator;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes everything that is buffered durable now. */
@Command(
        name = "flush",
        description = {
            "Makes every live worker push what it buffers, and returns when all is committed in the store.",
            "Exit code 6 when workers that are gone still hold files, else 4 when files of the mount are lost."
        })
final class FlushCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 200;

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = MastersArgument.MOUNT)
    private Optional<String> mount = Optional.empty();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "5s",
            converter = MasterTarget.Seconds.class,
            description = "How long to wait for workers that hold files and are not alive, and for any worker at all: a"
                    + " master that has just started has not heard of them (default: ${DEFAULT-VALUE}).")
    private Duration wait = Duration.ZERO;

    @Mixin
    private Report report = new Report();

    /**
     * The result of a flush.
     *
     * @param workers that are alive
     * @param bufferedFiles that are buffered afterwards: closed since, or held by workers that are gone
     * @param lostFiles that no flush brings back: workers came back without them, or none came back with them
     * @param gone files that no flush can reach, by the worker that holds them
     */
    record Flushed(int workers, long bufferedFiles, long lostFiles, double seconds, Map<String, Long> gone) {
        void print(PrintWriter out) {
            out.printf("flushed %d workers in %.1f s; %d files are buffered now%n", workers, seconds, bufferedFiles);
            if (lostFiles > 0) {
                out.printf("%d files are lost and wait no more: 'packing fsck' names them%n", lostFiles);
            }
            gone.forEach((worker, files) -> out.printf(
                    "worker %s is gone and holds %d files: start it again on its buffer directory, then flush again%n",
                    worker, files));
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        target.mount(mount);
        long start = System.nanoTime();
        try (GrpcBdts bdts = target.connect();
                RemotePackingFileSystem mount = target.open(bdts)) {
            Bdt bdt = mount.bdt();
            long end = start + wait.toNanos();
            // A master that lost its disk learns of buffered files only when its workers have come back.
            boolean unused = await(bdt, end, worker -> true);
            long waiting = bdt.statistics().bufferedFiles();
            Narrator narrator = new Narrator(report.isJson());
            narrator.accept(
                    "%d workers seal and push %,d files".formatted(bdt.workers().size(), waiting));
            Map<String, Long> gone;
            try (ProgressBar bar = narrator.bar("pushing files", waiting)) {
                gone = flush(mount, waiting, bar);
                while (!gone.isEmpty() && await(bdt, end, gone::containsKey)) {
                    gone = flush(mount, waiting, bar);
                }
            }
            BdtStatistics statistics = bdt.statistics();
            Flushed flushed = new Flushed(
                    bdt.workers().size(),
                    statistics.bufferedFiles(),
                    statistics.lostFiles() + statistics.missingFiles(),
                    (System.nanoTime() - start) / 1e9,
                    gone);
            report.print(flushed, flushed::print);
            if (!flushed.gone().isEmpty()) {
                return ExitCodes.NOT_FLUSHED;
            }
            return flushed.lostFiles() > 0 ? ExitCodes.CORRUPT : ExitCodes.OK;
        }
    }

    /** Waits until such a worker is alive; false when the time is over. */
    private static boolean await(Bdt bdt, long end, Predicate<String> wanted) throws IOException, InterruptedException {
        while (bdt.workers().stream().map(WorkerInfo::worker).noneMatch(wanted)) {
            if (System.nanoTime() >= end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return true;
    }

    /** Flushes, and shows meanwhile how many of the files that waited are left. */
    private static Map<String, Long> flush(RemotePackingFileSystem mount, long waiting, ProgressBar bar)
            throws IOException, InterruptedException {
        CompletableFuture<Map<String, Long>> flushed = CompletableFuture.supplyAsync(() -> {
            try {
                return mount.flushLive();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        while (true) {
            try {
                return flushed.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                bar.stepTo(Math.max(0, waiting - mount.bdt().statistics().bufferedFiles()));
            } catch (ExecutionException e) {
                if (e.getCause() instanceof UncheckedIOException failure) {
                    throw failure.getCause();
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    }
}
