package io.packing.trace.synth;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What follows from the published numbers for the whole of the paper's trace; a generated one is a scaled copy.
 *
 * <p>The published totals determine more than they say: with 71 TB at 79 percent reads, logs 10 and compactions 17 times
 * the flushes, flushes are 0.53 TB; data read once and the I/O to it give the data that is read at all; and so on. Each
 * step is a line here and a paragraph of docs/trace-synth.md. Sizes are bytes, durations seconds, counts of the whole
 * trace.
 */
record Model(Reading reading, Writing writing, double walGroups, double walGroupBytes) {

    /**
     * Reads of gets (Figs. 3.7, 3.8).
     *
     * @param classes the read heats of data that gets read and compactions do not
     * @param pairShare share of gets that read two adjacent blocks
     * @param nearShare share of repeats that come within 32 minutes
     * @param tailBytes index and filter blocks of compacted files, read once by gets
     */
    record Reading(List<HeatClass> classes, double pairShare, double nearShare, double tailBytes) {}

    /**
     * Data of which each byte is read {@code heat} times.
     *
     * @param families the share of it that each family has
     */
    record HeatClass(int heat, double bytes, List<Double> families) {}

    /**
     * Flushes and compactions (Figs. 3.5, 3.6) as trees: a compaction that writes a large file reads flush files, small
     * and medium outputs of earlier compactions and now and then a large one, all written for it.
     *
     * @param roots compactions that write a large file that stays
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

    static Model of(Workload w) {
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

        // Data read at all, and both written and read (Figs. 3.4a, 3.8).
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

        // Share of the lives of files that begin in the trace, of those that end in it.
        double under8 = f.mediumOver8h() / (1 - logMean(1, 8) * 3600 / seconds);
        double mediumLife = under8 * logMean(1, 8) + (1 - under8) * logMean(8, f.mediumLifeHours());
        double largeLife = (LARGE_LIFE_FROM_HOURS + f.largeLifeHours()) / 2;
        double smallSeen = 1 - f.smallLifeHours() / 2 * 3600 / seconds;
        double mediumSeen = 1 - mediumLife * 3600 / seconds;

        // Files created: small, medium, large; every compaction reads one file that was flushed less than a minute ago.
        double logs = log / f.logBytes();
        double trees = f.mediumShare() + f.largeShare();
        double oldFiles = w.families().stream()
                .mapToDouble(x -> x.data() * live * w.requests().slotBlocks() / x.fileBytes())
                .sum();
        // Of the files seen, some are old: those that gets read, one input of each medium or large compaction, and
        // those
        // of which only the end of their life is seen.
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

        // Reads that follow their neighbour: all of a compaction's but the first of a file, and the second of a pair.
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
        return new Model(new Reading(classes, pairShare, nearShare, tail), writing, groups, log / groups);
    }

    static final double LARGE_LIFE_FROM_HOURS = 4;
    /** create, half a block at the end, close, rename. */
    private static final double EVENTS_PER_CREATED = 3.5;
    /** open, seek, half a block at the end, close, delete. */
    private static final double EVENTS_PER_INPUT = 4.5;

    /** Bytes of live data by the number of their reads. */
    private static SortedMap<Integer, Double> heats(Workload.Reads r, double live, double once, double hot, double io) {
        TreeMap<Integer, Double> classes = new TreeMap<>();
        classes.put(1, once);
        double hotIo = 0.0;
        for (int heat : r.hotHeats()) {
            classes.put(heat, hot / r.hotHeats().size());
            hotIo += heat * hot / r.hotHeats().size();
        }
        // The shares of the heats between fall as a power of the heat, the one that leaves the right I/O.
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

    /** The mean of a log-uniform distribution. */
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
