// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The derived numbers of the paper's whole trace. A generated trace is a scaled copy of it.
 *
 * <p>The published totals determine further numbers. For example, 71 TB with 79 percent reads leave 15 TB of writes.
 * Logs are 10 times and compactions 17 times the flushes, so flushes are 0.53 TB. Each step is a line here and a
 * paragraph of docs/trace-synth.md. Sizes are bytes, durations seconds, counts of the whole trace.
 */
record TraceModel(Reading reading, Writing writing, double walGroups, double walGroupBytes) {

    /**
     * The reads of gets (Figs. 3.7, 3.8).
     *
     * @param classes the heats of data that gets read and no compaction reads
     * @param pairShare share of gets that read two adjacent blocks
     * @param nearShare share of repeats that come within 32 minutes
     * @param tailBytes index and filter blocks of compacted files, which gets read once
     */
    record Reading(List<HeatClass> classes, double pairShare, double nearShare, double tailBytes) {}

    /**
     * The data of which each byte is read {@code heat} times.
     *
     * @param families each family's share of this data
     */
    record HeatClass(int heat, double bytes, List<Double> families) {}

    /**
     * Flushes and compactions (Figs. 3.5, 3.6) as trees. The root is a compaction that writes a large file. It reads
     * flush files, small and medium outputs of earlier compactions, and sometimes a large output.
     *
     * @param roots compactions that write a large, lasting file
     * @param rewritten compactions that write a large file that is compacted again during the trace
     * @param mediums compactions that write a medium file
     * @param smallsPerTree small outputs that a compaction of the three kinds above reads
     * @param smallsAlone compactions whose small output is not compacted further
     * @param flushesPerJob flush files that any compaction reads
     * @param outputRatio bytes written per byte read of a compaction
     * @param tailRatio share of an old input file that gets read and the compaction does not
     * @param mediumUnder8h share of medium files that are compacted within 8 hours
     */
    record Writing(
            double roots,
            double rewritten,
            double mediums,
            double smallsPerTree,
            double smallsAlone,
            double flushesPerJob,
            double flushBytes,
            double mediumBytes,
            double rewrittenBytes,
            double rootBytes,
            double outputRatio,
            double tailRatio,
            double mediumUnder8h) {}

    static TraceModel of(Workload w) {
        Workload.Trace t = w.trace();
        Workload.Files f = w.files();
        Workload.Reads r = w.reads();
        double seconds = t.days() * 86_400;
        double block = (double) w.requests().blockBytes();

        double flush = (1 - t.readShare()) * t.ioBytes() / (1 + t.logToFlush() + t.compactionToFlush());
        double log = t.logToFlush() * flush;
        double compacted = t.compactionToFlush() * flush;
        double written = flush + log + compacted;
        double read = t.readShare() * t.ioBytes();
        double coreRead = t.coreBytes() - flush;
        double compactionRead = read - coreRead;

        // The data that is read, and the data that is both written and read (Figs. 3.4a, 3.8).
        double dataRead = read * r.onceIo() / r.onceData();
        double both = dataRead + written - t.touchedBytes();
        double live = t.coreLiveBytes();
        double tail = dataRead - compactionRead - live;
        double onceLive = r.onceIo() * read - compactionRead - tail;
        positive("data written and read", both);
        positive("data of compacted files that gets read", tail);
        positive("live data read once", onceLive);

        SortedMap<Integer, Double> heats = heats(r, live, onceLive, r.hotData() * dataRead, coreRead - tail);
        double repeats = heats.entrySet().stream()
                .mapToDouble(e -> e.getValue() * (e.getKey() - 1))
                .sum();
        double nearShare = r.repeatIn32Min() * read / repeats;

        // The shares of deleted files that were also created in the trace.
        double under8 = f.mediumOver8h() / (1 - logMean(1, 8) * 3600 / seconds);
        double mediumLife = under8 * logMean(1, 8) + (1 - under8) * logMean(8, f.mediumLifeHours());
        double largeLife = (LARGE_LIFE_FROM_HOURS + f.largeLifeHours()) / 2;
        double smallSeen = 1 - f.smallLifeHours() / 2 * 3600 / seconds;
        double mediumSeen = 1 - mediumLife * 3600 / seconds;

        // The created files: small, medium, large. Each compaction reads one file that was flushed less than a minute
        // ago.
        double logs = log / f.logBytes();
        double trees = f.mediumShare() + f.largeShare();
        double oldFiles = w.families().stream()
                .mapToDouble(x -> x.data() * live * w.requests().slotBlocks() / x.fileBytes())
                .sum();
        // The files also include old ones. Gets read some of them, each medium or large compaction reads one, and
        // others end in the trace.
        double olderShare = f.smallShare() * (1 - smallSeen) + f.mediumShare() * (1 - mediumSeen);
        double created = (f.count() - oldFiles + logs) / (1 + trees + olderShare);
        double large = f.largeShare() * created - logs;
        double mediums = f.mediumShare() * created;
        double jobs = f.smallUnderMinute() * f.smallShare() * created;
        double smallOutputs = jobs - mediums - large;
        double flushes = f.smallShare() * created - smallOutputs;
        positive("large files that are not logs", large);
        positive("small outputs of compactions", smallOutputs);

        double alone = w.families().stream().mapToDouble(Workload.Family::small).sum();
        double outputRatio = compacted / compactionRead;
        double flushesPerJob = flushes / jobs;
        double flushBytes = flush / flushes;
        double smallTotal = smallOutputs * flushesPerJob * flushBytes * outputRatio;
        double smallRead = (1 - alone) * smallTotal;
        double mediumTotal = (1 - f.largeBytes()) * written - flush - smallTotal;
        double largeTotal = f.largeBytes() * written - log;

        double rewrittenSeen = 1 - largeLife * 3600 / seconds;
        double rewritten = f.largeDeleted() * f.largeShare() * created / rewrittenSeen;
        double rewrittenTotal =
                (both - flush * smallSeen - smallRead * smallSeen - mediumTotal * mediumSeen) / rewrittenSeen;
        double oldRead = compactionRead - flush - smallRead - mediumTotal - rewrittenTotal;
        positive("bytes of large files that are compacted again", rewrittenTotal);
        positive("bytes of large files that stay", largeTotal - rewrittenTotal);
        positive("old data that is compacted", oldRead);

        Writing writing = new Writing(
                large - rewritten,
                rewritten,
                mediums,
                (1 - alone) * smallOutputs / (mediums + large),
                alone * smallOutputs,
                flushesPerJob,
                flushBytes,
                mediumTotal / mediums,
                rewrittenTotal / rewritten,
                (largeTotal - rewrittenTotal) / (large - rewritten),
                outputRatio,
                tail / (oldRead + tail),
                under8);

        Background background =
                new Background(writing, w, tail, new Background.Seen(smallSeen, mediumSeen, rewrittenSeen));
        List<HeatClass> classes = FamilyHeats.of(w, background, heats);

        // Reads that follow their neighbour: a compaction's reads of a file after the first, and the second of a pair.
        double readEvents = read / block;
        double inputs = flushes + (1 - alone) * smallOutputs + 2 * mediums + large + rewritten;
        double pairs = r.sequential() * readEvents - (compactionRead / block - inputs);
        double gets = (coreRead - tail) / block;
        double pairShare = pairs / (gets - pairs);
        positive("gets that read two adjacent blocks", pairs);

        double others =
                readEvents + (flush + compacted) / block + created * EVENTS_PER_CREATED + inputs * EVENTS_PER_INPUT;
        double groups = (t.events() - others) / 2;
        positive("events left for the log", groups);
        return new TraceModel(new Reading(classes, pairShare, nearShare, tail), writing, groups, log / groups);
    }

    static final double LARGE_LIFE_FROM_HOURS = 4;
    /** The events of a created file: create, half a block at the end, close, rename. */
    private static final double EVENTS_PER_CREATED = 3.5;
    /** The events of a compaction's input: open, seek, half a block at the end, close, delete. */
    private static final double EVENTS_PER_INPUT = 4.5;

    /** Returns the bytes of live data by the number of their reads. */
    private static SortedMap<Integer, Double> heats(Workload.Reads r, double live, double once, double hot, double io) {
        TreeMap<Integer, Double> classes = new TreeMap<>();
        classes.put(1, once);
        double hotIo = 0.0;
        for (int heat : r.hotHeats()) {
            classes.put(heat, hot / r.hotHeats().size());
            hotIo += heat * hot / r.hotHeats().size();
        }
        // The shares of the warm heats fall as a power of the heat. The loop finds the power that leaves the right I/O.
        double warm = live - once - hot;
        double mean = (io - once - hotIo) / warm;
        double low = -5;
        double high = 5;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            if (meanHeat(r.warmHeats(), middle) > mean) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double sum = r.warmHeats().stream().mapToDouble(power(low)).sum();
        for (int heat : r.warmHeats()) {
            classes.put(heat, warm * power(low).applyAsDouble(heat) / sum);
        }
        return classes;
    }

    private static ToDoubleFunction<Integer> power(double exponent) {
        return heat -> Math.pow(heat, -exponent);
    }

    private static double meanHeat(List<Integer> heats, double exponent) {
        double weights = heats.stream().mapToDouble(power(exponent)).sum();
        return heats.stream()
                        .mapToDouble(h -> h * power(exponent).applyAsDouble(h))
                        .sum()
                / weights;
    }

    /** Returns the mean of a log-uniform distribution. */
    static double logMean(double from, double to) {
        return (to - from) / Math.log(to / from);
    }

    static void positive(String what, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(
                    "workload: the published numbers leave %.3g for '%s'; they contradict each other"
                            .formatted(value, what));
        }
    }
}
