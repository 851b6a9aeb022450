// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;

/**
 * The counts of trace files' readable and unreadable parts.
 *
 * @param files number of input files
 * @param events that were read
 * @param dropped events that the tracer counted and could not keep
 * @param unknownCalls events whose call this version does not know
 * @param damagedBlocks blocks that were skipped
 * @param lostEvents events of those, as far as their headers say
 * @param skippedBytes bytes that belong to no readable block
 * @param tornFiles files that end inside a block
 * @param unreadable reasons for which whole files could not be read
 */
public record InputReport(
        int files,
        long events,
        long dropped,
        long unknownCalls,
        long damagedBlocks,
        long lostEvents,
        long skippedBytes,
        long tornFiles,
        List<String> unreadable) {
    public InputReport {
        unreadable = List.copyOf(unreadable);
    }

    static InputReport of(int files, Job job) throws IOException {
        Counters counters = job.getCounters();
        List<String> unreadable = new ArrayList<>();
        counters.getGroup(TraceInputFormat.UNREADABLE).forEach(counter -> unreadable.add(counter.getName()));
        return new InputReport(
                files,
                counters.findCounter(TraceInputFormat.Damage.EVENTS).getValue(),
                counters.findCounter(TraceInputFormat.Damage.DROPPED).getValue(),
                counters.findCounter(TraceInputFormat.Damage.UNKNOWN_CALLS).getValue(),
                counters.findCounter(TraceInputFormat.Damage.DAMAGED_BLOCKS).getValue(),
                counters.findCounter(TraceInputFormat.Damage.LOST_EVENTS).getValue(),
                counters.findCounter(TraceInputFormat.Damage.SKIPPED_BYTES).getValue(),
                counters.findCounter(TraceInputFormat.Damage.TORN_FILES).getValue(),
                unreadable);
    }

    /** Returns whether every byte of every file was readable. */
    public boolean isWhole() {
        return damagedBlocks == 0 && skippedBytes == 0 && tornFiles == 0 && unreadable.isEmpty();
    }
}
