// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers of a container on this machine: registries, stores, masters, workers and mounts. They are the descendants of this process, without
 * the container's.
 */
record Beside(Container container) {
    /** The time of each measurement, with the servers running and with them stopped. */
    private static final Duration SLICE = Duration.ofSeconds(2);

    /** Asks a server for so long; answers in a second. */
    interface Rate {
        double of(Duration time) throws IOException, InterruptedException;
    }

    private Stream<ProcessHandle> processes() {
        ProcessHandle own = container.process().toHandle();
        Set<ProcessHandle> inside = own.descendants().collect(Collectors.toSet());
        return ProcessHandle.current().descendants().filter(each -> !each.equals(own) && !inside.contains(each));
    }

    /** Returns the processor time of all living servers so far. */
    Duration processorTime() {
        return processes()
                .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * The rate of a server to that while all of these are stopped, in slices of both by turns.
     *
     * @param time of all slices; there is one of each at least
     */
    double price(Rate rate, Duration time) throws IOException, InterruptedException {
        double with = 0;
        double without = 0;
        long pairs = Math.max(1, time.dividedBy(SLICE.multipliedBy(2)));
        for (long i = 0; i < pairs; i++) {
            with += rate.of(SLICE);
            without += stopped(rate);
        }
        return with / without;
    }

    private double stopped(Rate rate) throws IOException, InterruptedException {
        // A read from a stopped server's mount waits until the server goes on: the timer ends such a wait.
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (StoppedProcesses all = StoppedProcesses.stop(processes())) {
            ScheduledFuture<?> unused = timer.schedule(
                    () -> {
                        all.close();
                        return true;
                    },
                    SLICE.multipliedBy(2).toMillis(),
                    TimeUnit.MILLISECONDS);
            return rate.of(SLICE);
        } finally {
            timer.shutdownNow();
        }
    }
}
