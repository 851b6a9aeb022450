// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The common figures of drivers: percentiles, this process's memory, and one line of JSON. */
final class Measure {
    private Measure() {}

    static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    /** Returns a percentile, in milliseconds, of durations in nanoseconds. */
    static double millis(long[] nanos, double percentile) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * percentile / 100))] / 1e6;
    }

    /** Returns the upper median. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Returns the resident memory of this process in MiB, as Linux counts it. */
    static double residentMiB() throws IOException {
        return residentMiB(ProcessHandle.current().pid());
    }

    /** Returns the resident memory of a process in MiB, as Linux counts it. */
    static double residentMiB(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/%d/status".formatted(pid))).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElse(-1);
    }

    static String json(Map<String, Double> figures) {
        StringBuilder out = new StringBuilder("{");
        new LinkedHashMap<>(figures)
                .forEach((name, value) -> out.append(out.length() == 1 ? "" : ", ")
                        .append('"')
                        .append(name)
                        .append("\": ")
                        .append(
                                value == Math.rint(value)
                                        ? String.format(Locale.ROOT, "%.0f", value)
                                        : String.format(Locale.ROOT, "%.3f", value)));
        return out.append('}').toString();
    }

    /** Waits without load. */
    static void pause(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the latch was counted down");
        }
    }
}
