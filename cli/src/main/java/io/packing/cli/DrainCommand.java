// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.Departure;
import io.packing.bdt.MountStatus;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.OperationsClient;
import io.packing.cli.launch.Narrator;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes a worker leave. */
@Command(
        name = "drain",
        description = {
            "Makes the worker of this id, in each mount of the master, take no new files, push what it has and "
                    + "leave. Waits until it has left; its process then ends with exit code 0. Clients write to another "
                    + "worker meanwhile.",
            "A command that is ended does not call the worker back: start it again. Exit code 6 when it is gone "
                    + "and may hold files."
        })
final class DrainCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 200;
    /** The time in which a master that has opened a mount hears of its workers: three of their heartbeats. */
    private static final Duration HEARD = Duration.ofSeconds(3);

    @Mixin
    private OperatorTarget target = new OperatorTarget();

    @Mixin
    private Report report = new Report();

    @Parameters(
            paramLabel = "[MOUNT] WORKER",
            arity = "1..2",
            hideParamSyntax = true,
            description = "The masters, as " + MountUri.FORM + "; then the worker's id.")
    private List<String> words = List.of();

    private String worker = "";

    /**
     * The result of a drain.
     *
     * @param stores of the mounts that it has left
     * @param gone stores of mounts of which it is not heard any more, without its good-bye
     * @param files that it held when it was told
     */
    record Drained(String worker, List<String> stores, List<String> gone, long files, double seconds) {
        Drained {
            stores = List.copyOf(stores);
            gone = List.copyOf(gone);
        }

        @JsonProperty("left")
        boolean isLeft() {
            return gone.isEmpty();
        }

        void print(PrintWriter out) {
            stores.forEach(store -> out.printf("worker %s has left %s%n", worker, store));
            gone.forEach(store -> out.printf(
                    "worker %s of %s is gone and may hold files: start it again on its buffer directory, then drain it again%n",
                    worker, store));
            out.printf("%,d files were waiting; %.1f s%n", files, seconds);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        worker = target.operands(words, 1, "WORKER").get(0);
        long start = System.nanoTime();
        try (GrpcBdts bdts = target.connect()) {
            OperationsClient operations = bdts.operations();
            List<Departure> now = order(operations);
            if (now.isEmpty()) {
                throw new FileNotFoundException("no mount of this master has a live worker '%s'; there are: %s"
                        .formatted(worker, workers(operations.mounts())));
            }
            long files = files(now);
            new Narrator(report.isJson())
                    .accept("worker %s takes no new files, and pushes the %,d that it has".formatted(worker, files));
            List<Departure> last = await(operations, now, files);
            Drained drained = new Drained(
                    worker,
                    stores(last, Departure.State.LEFT),
                    stores(last, Departure.State.GONE),
                    files,
                    (System.nanoTime() - start) / 1e9);
            report.print(drained, drained::print);
            return drained.isLeft() ? ExitCodes.OK : ExitCodes.NOT_FLUSHED;
        }
    }

    /** Orders the worker to leave, as soon as the master has heard of it; empty: it has not. */
    private List<Departure> order(OperationsClient operations) throws IOException, InterruptedException {
        long end = System.nanoTime() + HEARD.toNanos();
        List<Departure> told = operations.drain(worker);
        while (told.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            told = operations.drain(worker);
        }
        return told;
    }

    /** Says it again and again: a master that was restarted meanwhile has forgotten it. */
    private List<Departure> await(OperationsClient operations, List<Departure> first, long files)
            throws IOException, InterruptedException {
        List<Departure> now = first;
        try (ProgressBar bar = new Narrator(report.isJson()).bar("pushing files", files)) {
            while (now.stream().anyMatch(each -> each.state() == Departure.State.LEAVING)) {
                bar.stepTo(Math.max(0, files - files(now)));
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                List<Departure> next = order(operations);
                if (next.isEmpty()) {
                    throw new IOException(
                            "the master was restarted and does not know worker %s; packing mounts tells whether it has left"
                                    .formatted(worker));
                }
                now = next;
            }
            bar.stepTo(files);
        }
        return now;
    }

    private static long files(List<Departure> departures) {
        return departures.stream().mapToLong(Departure::bufferedFiles).sum();
    }

    private static List<String> stores(List<Departure> departures, Departure.State state) {
        return departures.stream()
                .filter(each -> each.state() == state)
                .map(Departure::store)
                .toList();
    }

    private static String workers(List<MountStatus> mounts) {
        String all = mounts.stream()
                .flatMap(mount -> mount.workers().stream())
                .map(WorkerInfo::worker)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "none" : all;
    }
}
