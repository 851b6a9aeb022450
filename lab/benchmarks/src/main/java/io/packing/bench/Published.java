// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.trace.analysis.Findings;
import io.packing.trace.synth.Workload;
import java.util.List;
import java.util.Map;

/**
 * A figure that the paper publishes of the Facebook Messages workload, with the analysis' figure of a synthetic trace.
 *
 * @param what name with the section or figure
 */
record Published(String what, double paper, double found) {
    private static final double MB = 1 << 20;
    private static final int MINUTES_32 = 5;

    /** Returns the difference to the paper, as a share of the paper's number. */
    double difference() {
        return found / paper - 1;
    }

    /**
     * Returns all numbers that a trace of {@code events} events can be compared by; totals are scaled to its length.
     */
    static List<Published> compare(Workload workload, long events, Findings found) {
        double scale = events / workload.trace().events();
        Map<String, Findings.ReadWrite> io = found.ioByCause();
        Findings.ReadWrite none = new Findings.ReadWrite(0, 0);
        double flush = io.getOrDefault("flush", none).written();
        double data = found.dataByFamily().values().stream()
                .mapToDouble(Findings.Touched::total)
                .sum();
        double created = sum(found.createdFiles());
        Map<String, Findings.Sizes> files = found.fileSizes();
        Map<String, double[]> locality = found.localityMap();
        return List.of(
                new Published("I/O, bytes (3.2.1)", 71e12 * scale, found.allIo().total()),
                new Published(
                        "core I/O, bytes (Fig. 3.2)",
                        47e12 * scale,
                        found.coreIo().total()),
                new Published("core I/O, reads (Fig. 3.2)", 0.99, found.coreIo().readShare()),
                new Published("I/O, reads (Fig. 3.2)", 0.79, found.allIo().readShare()),
                new Published(
                        "log writes to flushes (3.3.1)",
                        10,
                        io.getOrDefault("logging", none).written() / flush),
                new Published(
                        "compaction writes to flushes (3.3.1)",
                        17,
                        io.getOrDefault("compaction", none).written() / flush),
                new Published(
                        "core data, bytes (Fig. 3.3)",
                        3.9e12 * scale,
                        found.liveData()
                                .getOrDefault("core", new Findings.Touched(0, 0, 0))
                                .total()),
                new Published("data touched, bytes (Fig. 3.4a)", 26.5e12 * scale, data),
                new Published("PrefetchMeta, I/O per byte (Fig. 3.4b)", 15, ratio(found, "PrefetchMeta")),
                new Published("Keywords, I/O per byte (Fig. 3.4b)", 1.1, ratio(found, "Keywords")),
                new Published("files (3.3.3)", 862_000 * scale, found.filesSeen()),
                new Published("MessageMeta, mean file MB (Fig. 3.5)", 293, mean(files, "MessageMeta")),
                new Published("logs, mean file MB (Fig. 3.5)", 218, mean(files, "log")),
                new Published(
                        "created files that are small (3.3.3)",
                        0.94,
                        found.createdFiles().getOrDefault("small", 0L) / created),
                new Published(
                        "created files that are medium (3.3.3)",
                        0.02,
                        found.createdFiles().getOrDefault("medium", 0L) / created),
                new Published(
                        "created files that are large (3.3.3)",
                        0.04,
                        found.createdFiles().getOrDefault("large", 0L) / created),
                new Published(
                        "data in large files (3.3.3)",
                        0.89,
                        found.createdBytes().getOrDefault("large", 0L) / sum(found.createdBytes())),
                new Published("small files gone in a minute (Fig. 3.6)", 0.17, found.deletedWithin("small", 60)),
                new Published("medium files gone in 8 hours (Fig. 3.6)", 0.5, found.deletedWithin("medium", 8 * 3600)),
                new Published(
                        "large files gone in the trace (Fig. 3.6)",
                        0.14,
                        found.deletedWithin("large", Double.MAX_VALUE)),
                new Published("reads repeated in 32 min (Fig. 3.7)", 0.26, share(locality, "0", MINUTES_32)),
                new Published("reads near one of the last minute (Fig. 3.7)", 0.25, share(locality, "1KB", 0)),
                new Published("data read once (Fig. 3.8a)", 0.737, part(found.heatOfData(), 0)),
                new Published("data read 64 times or more (Fig. 3.8a)", 0.011, part(found.heatOfData(), 6)),
                new Published("reads of data read once (Fig. 3.8b)", 0.19, part(found.heatOfIo(), 0)));
    }

    private static double ratio(Findings found, String family) {
        return found.ioPerByte().getOrDefault(family, 0.0);
    }

    private static double mean(Map<String, Findings.Sizes> files, String family) {
        Findings.Sizes sizes = files.get(family);
        return sizes == null ? 0 : sizes.mean() / MB;
    }

    private static double share(Map<String, double[]> lines, String line, int column) {
        double[] shares = lines.get(line);
        return shares == null ? 0 : shares[column];
    }

    private static double part(Map<Integer, Long> histogram, int bucket) {
        return histogram.getOrDefault(bucket, 0L) / sum(histogram);
    }

    private static double sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
