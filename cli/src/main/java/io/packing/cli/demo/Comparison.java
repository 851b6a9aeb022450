package io.packing.cli.demo;

import java.io.PrintWriter;
import java.util.Locale;

/** Both sides and how many times as much direct cost. */
public record Comparison(Side packed, Side direct, Ratio ratio) {
    /** Direct divided by packed. */
    public record Ratio(double dollars, double seconds, double put) {}

    public static Comparison of(Side packed, Side direct) {
        return new Comparison(
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

    /** The table for people. */
    public void print(PrintWriter out) {
        row(out, "", "packed", "direct", "direct/packed");
        row(out, "files", count(packed.files()), count(direct.files()), "");
        row(out, "seconds", decimal(packed.seconds()), decimal(direct.seconds()), times(ratio.seconds()));
        row(out, "files/s", decimal(packed.filesPerSecond()), decimal(direct.filesPerSecond()), "");
        row(out, "PUT", count(packed.put()), count(direct.put()), times(ratio.put()));
        row(out, "GET", count(packed.get()), count(direct.get()), "");
        row(out, "LIST", count(packed.list()), count(direct.list()), "");
        row(out, "HEAD", count(packed.head()), count(direct.head()), "");
        row(out, "throttled", count(packed.throttled()), count(direct.throttled()), "");
        row(out, "dollars", dollars(packed.dollars()), dollars(direct.dollars()), times(ratio.dollars()));
        row(out, "bytes sent", count(packed.bytes()), count(direct.bytes()), "");
        row(out, "verified", count(packed.verified()), count(direct.verified()), "");
    }

    private static void row(PrintWriter out, String name, String packed, String direct, String ratio) {
        out.println(
                "%-12s %16s %16s %16s".formatted(name, packed, direct, ratio).stripTrailing());
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
