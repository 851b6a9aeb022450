// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The published numbers of the Facebook Messages workload (§3.2.1, §3.3), and further assumptions.
 *
 * <p>The values are in {@code facebook-messages.conf} beside this class, each with its section or figure.
 */
public record Workload(Trace trace, Files files, Reads reads, Requests requests, List<Family> families) {
    /** The extent of the trace and the split of its I/O (§3.2.1, Figs. 3.2 to 3.4). Sizes are bytes. */
    public record Trace(
            double days,
            double events,
            double ioBytes,
            double readShare,
            double coreBytes,
            double logToFlush,
            double compactionToFlush,
            double touchedBytes,
            double coreLiveBytes,
            double puts,
            double deletes) {}

    /** Sizes and lifetimes of files (Figs. 3.5, 3.6). Sizes are bytes. */
    public record Files(
            double count,
            double smallShare,
            double mediumShare,
            double largeShare,
            double largeBytes,
            double logBytes,
            double logSpread,
            double smallUnderMinute,
            double mediumOver8h,
            double largeDeleted,
            double smallLifeHours,
            double mediumLifeHours,
            double largeLifeHours) {}

    /** The division of each heat's data over the families. It does not change the heats. */
    public enum FamilyHeat {
        /** The division with the published ratios of I/O to data (Fig. 3.4b). */
        PUBLISHED,
        /** The division with equal heat for each family: less difference than in the paper, for comparison. */
        ALIKE,
        /**
         * The division that fills one family with the hottest data before the next: more difference than in the paper.
         */
        APART
    }

    /** Heat, sequentiality and repetition of reads (Figs. 3.7, 3.8). */
    public record Reads(
            double onceData,
            double onceIo,
            double hotData,
            List<Integer> hotHeats,
            List<Integer> warmHeats,
            double sequential,
            double repeatIn32Min,
            double repeatFromMin,
            double repeatToMin,
            FamilyHeat familyHeat) {
        /** The limit of near intervals, whose share is published (Fig. 3.7). Longer intervals are far. */
        public static final double NEAR_MINUTES = 32;

        public Reads {
            hotHeats = List.copyOf(hotHeats);
            warmHeats = List.copyOf(warmHeats);
            if (hotHeats.isEmpty() || warmHeats.isEmpty()) {
                throw new IllegalArgumentException("reads: hot-heats and warm-heats need at least one number each");
            }
            if (!(repeatToMin > NEAR_MINUTES)) {
                throw new IllegalArgumentException(
                        "reads: repeat-to-min is %s, not above %s".formatted(repeatToMin, NEAR_MINUTES));
            }
        }

        /**
         * Returns these reads with other values for two numbers that the paper draws and does not print, for
         * comparison.
         */
        public Reads with(FamilyHeat otherHeat, double otherRepeatToMin) {
            return new Reads(
                    onceData,
                    onceIo,
                    hotData,
                    hotHeats,
                    warmHeats,
                    sequential,
                    repeatIn32Min,
                    repeatFromMin,
                    otherRepeatToMin,
                    otherHeat);
        }
    }

    /** The size and pace of single requests. The paper publishes none of these numbers. */
    public record Requests(
            int blockBytes, double compactionBytesPerSecond, double flushBytesPerSecond, int slotBlocks, int regions) {
        public Requests {
            if (blockBytes < 1 || slotBlocks < 2 || regions < 1) {
                throw new IllegalArgumentException("requests: bad block-bytes %d, slot-blocks %d or regions %d"
                        .formatted(blockBytes, slotBlocks, regions));
            }
        }
    }

    /**
     * A column family of Table 3.2.
     *
     * @param written its share of the bytes that large compactions write
     * @param small its share of all small compactions, when its files are not compacted further; otherwise 0
     * @param data its share of the data that gets read and no compaction reads
     * @param ratio bytes of I/O per byte of its data, where published (Fig. 3.4b)
     * @param fileBytes size of its old files
     * @param rewrites whether large files written during the trace are compacted again in it
     */
    public record Family(
            String name,
            double written,
            double small,
            double data,
            OptionalDouble ratio,
            double fileBytes,
            boolean rewrites) {}

    public Workload {
        families = List.copyOf(families);
        sumsToOne("written", families.stream().mapToDouble(Family::written).sum());
        sumsToOne("data", families.stream().mapToDouble(Family::data).sum());
        sumsToOne("small-, medium- and large-share", files.smallShare() + files.mediumShare() + files.largeShare());
    }

    /** Returns this workload with other reads. */
    public Workload with(Reads changed) {
        return new Workload(trace, files, changed, requests, families);
    }

    private static void sumsToOne(String what, double sum) {
        if (Math.abs(sum - 1) > 1e-6) {
            throw new IllegalArgumentException("workload: shares '%s' add up to %s, not to 1".formatted(what, sum));
        }
    }

    /** Returns the paper's workload. */
    public static Workload facebookMessages() {
        return from(ConfigFactory.parseResources(Workload.class, "facebook-messages.conf"));
    }

    /**
     * Reads a workload in the form of {@code facebook-messages.conf}.
     *
     * @throws IllegalArgumentException with the name of a number that is missing, malformed or impossible
     */
    public static Workload from(Config config) {
        try {
            return read(config.resolve());
        } catch (ConfigException e) {
            throw new IllegalArgumentException("workload: " + e.getMessage(), e);
        }
    }

    private static Workload read(Config c) {
        Config t = c.getConfig("trace");
        Config f = c.getConfig("files");
        Config r = c.getConfig("reads");
        Config q = c.getConfig("requests");
        return new Workload(
                new Trace(
                        t.getDouble("days"),
                        t.getDouble("events"),
                        t.getDouble("io-bytes"),
                        t.getDouble("read-share"),
                        t.getDouble("core-bytes"),
                        t.getDouble("log-to-flush"),
                        t.getDouble("compaction-to-flush"),
                        t.getDouble("touched-bytes"),
                        t.getDouble("core-live-bytes"),
                        t.getDouble("puts"),
                        t.getDouble("deletes")),
                new Files(
                        f.getDouble("count"),
                        f.getDouble("small-share"),
                        f.getDouble("medium-share"),
                        f.getDouble("large-share"),
                        f.getDouble("large-bytes"),
                        f.getDouble("log-bytes"),
                        f.getDouble("log-spread"),
                        f.getDouble("small-under-minute"),
                        f.getDouble("medium-over-8h"),
                        f.getDouble("large-deleted"),
                        f.getDouble("small-life-hours"),
                        f.getDouble("medium-life-hours"),
                        f.getDouble("large-life-hours")),
                new Reads(
                        r.getDouble("once-data"),
                        r.getDouble("once-io"),
                        r.getDouble("hot-data"),
                        r.getIntList("hot-heats"),
                        r.getIntList("warm-heats"),
                        r.getDouble("sequential"),
                        r.getDouble("repeat-in-32min"),
                        r.getDouble("repeat-from-min"),
                        r.getDouble("repeat-to-min"),
                        r.getEnum(FamilyHeat.class, "family-heat")),
                new Requests(
                        q.getInt("block-bytes"),
                        q.getDouble("compaction-bytes-per-second"),
                        q.getDouble("flush-bytes-per-second"),
                        q.getInt("slot-blocks"),
                        q.getInt("regions")),
                c.getConfigList("families").stream()
                        .map(family -> new Family(
                                family.getString("name"),
                                family.getDouble("written"),
                                family.getDouble("small"),
                                family.getDouble("data"),
                                family.hasPath("ratio")
                                        ? OptionalDouble.of(family.getDouble("ratio"))
                                        : OptionalDouble.empty(),
                                family.getDouble("file-bytes"),
                                !family.hasPath("rewrites") || family.getBoolean("rewrites")))
                        .toList());
    }
}
