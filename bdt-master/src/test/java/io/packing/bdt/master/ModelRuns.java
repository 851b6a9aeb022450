// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.Operation;
import io.packing.bdt.Precondition;
import io.packing.seed.Seed;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The rounds that a test against a model plays ({@code -Dpacking.model.rounds}), and counts of its work so far. */
final class ModelRuns {
    /** A counted event. */
    enum Count {
        /** Random operations: a vector counts as one. */
        OPERATIONS,
        /** Comparisons of the whole table with the model. */
        COMPARISONS,
        /** Vectors of which every operation happened. */
        VECTORS_APPLIED,
        /** Vectors of which an operation was refused. */
        VECTORS_REFUSED,
        /** Vectors that did not happen for a precondition. */
        PRECONDITIONS_FAILED,
        /** Vectors that happened with preconditions. */
        PRECONDITIONS_HELD,
        /** Deletes that were refused since there was a snapshot of what they name. */
        SNAPSHOTS_GUARDED,
        SNAPSHOTS_DROPPED,
        BACKUPS,
        /** Steps of upkeep that removed unused rows or bytes. */
        TRIMMED,
        COMPACTIONS,
        /** Blobs that compactions wrote. */
        BLOBS_COMPACTED,
        COLLECTIONS,
        /** Blobs that a collection deleted. */
        BLOBS_DELETED,
        /** The master was killed, and started with its own disk. */
        CRASHES,
        /** The table was rebuilt from the store. */
        REBUILDS,
        /** Crashes and rebuilds of a master that ended in the middle of a backup, a collection or a compaction. */
        ENDED_IN_UPKEEP,
        /** Starts of a master on an older copy of its directory. */
        MASTERS_PUT_BACK,
        /** Starts of a worker on an older copy of its directory. */
        WORKERS_PUT_BACK,
        /** Starts of a master on what a loss of power left of its disk. */
        POWER_LOSSES
    }

    private static final Map<Count, Long> DONE = new EnumMap<>(Count.class);

    private ModelRuns() {}

    /** A seed for each round. */
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("packing.model.rounds", 10)).map(round -> Seed.value() + round);
    }

    static void count(Count what) {
        count(what, 1);
    }

    static void count(Count what, int times) {
        DONE.merge(what, (long) times, Long::sum);
    }

    static String soFar() {
        return DONE.entrySet().stream()
                .map(each -> each.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    static void countApplied(List<Precondition> preconditions, List<Operation> operations) {
        count(preconditions.isEmpty() ? Count.VECTORS_APPLIED : Count.PRECONDITIONS_HELD);
        long dropped = operations.stream()
                .filter(Operation.DropSnapshot.class::isInstance)
                .count();
        count(Count.SNAPSHOTS_DROPPED, (int) dropped);
    }
}
