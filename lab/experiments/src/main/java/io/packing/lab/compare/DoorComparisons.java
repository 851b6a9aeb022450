// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * The comparisons of one ingest at two doors. Its JSON has the fields of Alluxio's comparison at the top, and both below
 * {@code doors}.
 *
 * @param alluxio packing below Alluxio, beside Alluxio's own S3 under file system
 * @param hadoop packing as a file system of Hadoop, beside S3A
 */
public record DoorComparisons(
        @JsonIgnore CostComparison alluxio, @JsonIgnore CostComparison hadoop) {
    /** The comparison of each door by its name. */
    public record ByName(CostComparison hadoop, CostComparison alluxio) {}

    /** Returns the fields at the top. */
    @JsonUnwrapped
    public CostComparison top() {
        return alluxio;
    }

    /** Returns both comparisons by the names of their doors. */
    @JsonProperty("doors")
    public ByName byName() {
        return new ByName(hadoop, alluxio);
    }

    /** Returns whether every written file was read back unchanged. */
    @JsonIgnore
    public boolean isComplete() {
        return alluxio.isComplete() && hadoop.isComplete();
    }

    /** Prints a line for each side and the ratio of each door. */
    public void print(PrintWriter out) {
        out.println("%-24s %10s %12s %14s".formatted("", "seconds", "requests", "dollars"));
        door(out, "Hadoop on packing", "Hadoop on S3A", hadoop);
        door(out, "Alluxio on packing", "Alluxio on its own S3", alluxio);
        long files = hadoop.packed().verified()
                + hadoop.direct().verified()
                + alluxio.packed().verified()
                + alluxio.direct().verified();
        long all = hadoop.packed().measuredFiles()
                + hadoop.direct().measuredFiles()
                + alluxio.packed().measuredFiles()
                + alluxio.direct().measuredFiles();
        out.printf(Locale.ROOT, "%,d of %,d files came back as they were written.%n", files, all);
    }

    private static void door(PrintWriter out, String packed, String direct, CostComparison comparison) {
        row(out, packed, comparison.packed());
        row(out, direct, comparison.direct());
        out.printf(
                Locale.ROOT,
                "  packing is %.1f times as fast, for 1/%,.0f of the requests and 1/%,.0f of the dollars%n%n",
                comparison.ratio().seconds(),
                ratio((double) requests(comparison.direct()), (double) requests(comparison.packed())),
                comparison.ratio().dollars());
    }

    private static void row(PrintWriter out, String name, SideResult side) {
        out.println("%-24s %10s %12s %14s"
                .formatted(
                        name,
                        String.format(Locale.ROOT, "%,.1f", side.seconds()),
                        String.format(Locale.ROOT, "%,d", requests(side)),
                        String.format(Locale.ROOT, "%.6f", side.dollars())));
    }

    private static long requests(SideResult side) {
        return side.put() + side.get() + side.list() + side.head();
    }

    private static double ratio(double direct, double packed) {
        return packed == 0 ? 0 : direct / packed;
    }
}
