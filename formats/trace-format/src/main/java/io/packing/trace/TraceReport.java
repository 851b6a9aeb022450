// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/**
 * The counts of the read and unread parts of a trace.
 *
 * @param events that were read
 * @param dropped events that the tracer counted and could not keep
 * @param unknownCalls events whose call this version does not know
 * @param damagedBlocks blocks that do not match their checksums or rules, and were passed over
 * @param lostEvents events of those, as far as their headers say
 * @param skippedBytes bytes that belong to no readable block
 * @param unreadableFiles that are no trace, or of an unknown version; no part of them is read
 * @param torn whether the file ends inside a block or header, as after a crash
 */
public record TraceReport(
        long events,
        long dropped,
        long unknownCalls,
        long damagedBlocks,
        long lostEvents,
        long skippedBytes,
        long unreadableFiles,
        boolean torn) {
    public static final TraceReport NOTHING = new TraceReport(0, 0, 0, 0, 0, 0, 0, false);

    /** Returns the report about two files. */
    public TraceReport plus(TraceReport other) {
        return new TraceReport(
                events + other.events,
                dropped + other.dropped,
                unknownCalls + other.unknownCalls,
                damagedBlocks + other.damagedBlocks,
                lostEvents + other.lostEvents,
                skippedBytes + other.skippedBytes,
                unreadableFiles + other.unreadableFiles,
                torn || other.torn);
    }

    /** Returns whether every byte was readable; drops of the tracer do not count. */
    public boolean isWhole() {
        return damagedBlocks == 0 && skippedBytes == 0 && unreadableFiles == 0 && !torn;
    }
}
