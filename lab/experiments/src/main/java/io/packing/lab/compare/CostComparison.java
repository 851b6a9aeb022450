// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Function;

/** Both sides and how many times as much direct cost. */
public record CostComparison(SideResult packed, SideResult direct, Ratio ratio) {
    /** The requests for which {@link SideResult#dollars} pays. */
    private static final String BILLED =
            "every request from the first write until all files are durable and the BDT is backed up; not the reading back";

    /** Direct divided by packed. */
    public record Ratio(double dollars, double seconds, double put) {}

    public static CostComparison of(SideResult packed, SideResult direct) {
        return new CostComparison(
                packed,
                direct,
                new Ratio(
                        divide(direct.dollars(), packed.dollars()),
                        divide(direct.seconds(), packed.seconds()),
                        divide((double) direct.put(), (double) packed.put())));
    }

    /** JSON has no infinity: a side that cost nothing counts as a ratio of 0, which no real run has. */
    private static double divide(double direct, double packed) {
        return packed == 0 ? 0 : direct / packed;
    }

    /** Returns the requests for which the dollars pay, in words. */
    @JsonProperty("billed")
    public String billed() {
        return BILLED;
    }

    /** Returns whether every written file was read back unchanged. */
    @JsonIgnore
    public boolean isComplete() {
        return packed.isComplete() && direct.isComplete();
    }

    /** The table for people. */
    public void print(PrintWriter out) {
        row(out, "", "packed", "direct", "direct/packed");
        row(out, "files", s -> count(s.files()), "");
        if (packed.isExtrapolated() || direct.isExtrapolated()) {
            row(out, "of them written", s -> count(s.measuredFiles()), "");
        }
        row(out, "seconds", s -> decimal(s.seconds()), times(ratio.seconds()));
        row(out, "files/s", s -> decimal(s.filesPerSecond()), "");
        row(out, "PUT", s -> count(s.put()), times(ratio.put()));
        row(out, "GET", s -> count(s.get()), "");
        row(out, "LIST", s -> count(s.list()), "");
        row(out, "HEAD", s -> count(s.head()), "");
        row(out, "throttled", s -> count(s.throttled()), "");
        row(out, "PUTs per GB", s -> decimal(s.putsPerGb()), "");
        row(out, "dollars", s -> dollars(s.dollars()), times(ratio.dollars()));
        row(out, "bytes sent", s -> count(s.bytes()), "");
        row(out, "read back, GET", s -> count(s.readBack().get()), "");
        row(out, "read back, LIST", s -> count(s.readBack().list()), "");
        row(out, "read back, HEAD", s -> count(s.readBack().head()), "");
        row(out, "read back, dollars", s -> dollars(s.readBack().dollars()), "");
        row(out, "verified", s -> count(s.verified()), "");
        out.println();
        out.println("Dollars pay for " + BILLED + ".");
        if (direct.isExtrapolated()) {
            out.printf(
                    Locale.ROOT,
                    "Direct is extrapolated in proportion from %,d files that were written.%n",
                    direct.measuredFiles());
        }
    }

    private void row(PrintWriter out, String name, Function<SideResult, String> value, String ratio) {
        row(out, name, value.apply(packed), value.apply(direct), ratio);
    }

    private static void row(PrintWriter out, String name, String packed, String direct, String ratio) {
        out.println(
                "%-18s %16s %16s %16s".formatted(name, packed, direct, ratio).stripTrailing());
    }

    private static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    private static String decimal(double x) {
        return String.format(Locale.ROOT, "%,.1f", x);
    }

    private static String dollars(double x) {
        return String.format(Locale.ROOT, "%.6f", x);
    }

    private static String times(double x) {
        return String.format(Locale.ROOT, "%,.1fx", x);
    }
}
