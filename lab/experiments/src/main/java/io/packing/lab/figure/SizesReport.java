// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.figure;

import io.packing.lab.compare.PaperSizes;
import io.packing.lab.compare.RunOrigin;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The throughput by size, with the paper's figures and the origin of ours. */
public record SizesReport(List<Throughput.Point> points, PaperSizes paper, RunOrigin origin) {
    public SizesReport {
        points = List.copyOf(points);
    }

    /** Prints the table for people. */
    public void print(PrintWriter out) {
        out.printf("%10s %8s %10s %14s %10s %10s%n", "size", "client", "files", "bytes", "MB/s", "refused");
        for (Throughput.Point point : points) {
            out.printf(
                    Locale.ROOT,
                    "%10s %8s %,10d %,14d %,10.2f %,10d%n",
                    point.label(),
                    point.client(),
                    point.files(),
                    point.bytes(),
                    point.megabytesPerSecond(),
                    point.throttled());
        }
        out.printf(
                Locale.ROOT,
                "The paper: at most %.2f MB/s with files of 4 KB, at least %.0f with megabytes, %.0f times as much.%n",
                paper.smallAtMost(),
                paper.largeAtLeast(),
                paper.largeToSmall());
        origin.lines().forEach(out::println);
    }
}
