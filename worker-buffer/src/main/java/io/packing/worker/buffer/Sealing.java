// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.SealPolicy;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The decision when the open segment is rolled, so that it can be sealed. It depends on size, age, orders, pressure,
 * and writers that wait for an upload. The appending thread asks it; any thread may report to it.
 */
final class Sealing {
    /** The most files of a blob: its index is built in memory. */
    static final int MAX_BLOB_FILES = 1 << 18;

    /** The part of the gathering time after which no other writer is expected. */
    private static final int QUIET_PART = 50;

    /** The segments on their way out of the buffer. */
    interface Outgoing {
        /** Returns whether a rolled segment is in no blob yet. */
        boolean waits();

        /** Returns whether a rolled segment is in no blob, or its blob is not committed. */
        boolean isUnderWay();
    }

    private final BufferLimits limits;
    private final LongSupplier nanoTime;
    private final Doorbell bell;
    /** The terms that the operator set last. */
    private volatile SealPolicy.SealOptions wanted;
    /** The terms in force; like their rule, confined to the appending thread. */
    private SealPolicy.SealOptions terms;

    private SealPolicy rule;

    private volatile boolean ordered;
    /** The time of the last order. */
    private volatile long orderedNanos;

    private volatile boolean pressed;
    private volatile boolean uploadWanted;
    private volatile long lastPlaced;
    /** The time since which no push is under way. Confined to the appending thread. */
    private long gatherFrom;

    /** @param bell wakes the appending thread */
    Sealing(BufferLimits limits, LongSupplier nanoTime, Doorbell bell) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.bell = bell;
        this.gatherFrom = nanoTime.getAsLong();
        this.lastPlaced = gatherFrom;
        this.wanted = limits.seal();
        this.terms = limits.seal();
        this.rule = new SealPolicy(terms, gatherFrom);
    }

    /** Changes the terms, also for the open segment. */
    void change(SealPolicy.SealOptions other) {
        wanted = other;
        bell.ring();
    }

    /** Orders that all files appended so far are sealed. */
    void order() {
        // Set the time first: a thread that sees the order then sees its time.
        orderedNanos = nanoTime.getAsLong();
        ordered = true;
        bell.ring();
    }

    /** Notes that the buffer or its disk is full. */
    void press() {
        pressed = true;
        bell.ring();
    }

    /** Notes a writer that waits for an upload; it shares a blob with others that do. */
    void wantUpload() {
        uploadWanted = true;
        bell.ring();
    }

    /** Notes a new open segment. */
    void opened(BufferSegment open) {
        rule.opened(open.openedNanos());
    }

    /** Notes that the open segment was rolled. */
    void rolled(BufferSegment open, SealCause why) {
        rule.sealed(why.rule(), open.openedNanos(), lastPlaced, nanoTime.getAsLong());
    }

    /** Notes an appended record. */
    void placed() {
        lastPlaced = nanoTime.getAsLong();
    }

    /** Notes that all files appended so far are sealed. A request left standing would send the next file away alone. */
    void met() {
        ordered = false;
        pressed = false;
        uploadWanted = false;
    }

    /**
     * Returns the cause to roll the open segment now, which is not empty.
     *
     * @param records in the segment
     */
    Optional<SealCause> cause(BufferSegment open, int records, Outgoing outgoing) {
        if (!wanted.equals(terms)) {
            terms = wanted;
            rule = new SealPolicy(terms, nanoTime.getAsLong());
        }
        // Call it each time, since it notes the time since which no push is under way.
        boolean gathered = uploadGathered(outgoing);
        if (open.isFull(limits.blobMaxBytes()) || records >= MAX_BLOB_FILES) {
            return Optional.of(SealCause.SIZE);
        } else if (isOrdered(open)) {
            return Optional.of(SealCause.ORDER);
        } else if (pressed) {
            return Optional.of(SealCause.PRESSURE);
        } else if (gathered) {
            return Optional.of(SealCause.UPLOAD);
        }
        Optional<SealPolicy.Cause> due = rule.due(open.openedNanos(), lastPlaced, nanoTime.getAsLong());
        if (due.isPresent()) {
            return due.map(SealCause::of);
        } else if (needsNoCompany(open) && !outgoing.waits()) {
            return Optional.of(SealCause.IDLE);
        }
        return Optional.empty();
    }

    /**
     * Returns the time for which no rule rolls the open segment if no file comes and no order, in nanoseconds. Returns
     * 0 while the answer depends on pushes under way.
     */
    long restNanos(BufferSegment open) {
        if (ordered || pressed || uploadWanted || needsNoCompany(open)) {
            return 0;
        }
        long now = nanoTime.getAsLong();
        return rule.next(open.openedNanos(), lastPlaced, now) - now;
    }

    /** Returns whether the segment may go without more files when no push is under way: a later blob costs no less. */
    private boolean needsNoCompany(BufferSegment open) {
        return limits.sealIdleBytes() > 0 && open.position() >= limits.sealIdleBytes();
    }

    /** Returns whether the open segment has files of the order; one opened later has none. */
    private boolean isOrdered(BufferSegment open) {
        return ordered && open.openedNanos() - orderedNanos <= 0;
    }

    /**
     * Returns whether the writers that wait for an upload have waited long enough for company. The wait starts when no
     * push is under way: a push that ends releases its writers, and most of them come back at once with their next
     * file.
     */
    private boolean uploadGathered(Outgoing outgoing) {
        long now = nanoTime.getAsLong();
        if (!uploadWanted || outgoing.isUnderWay()) {
            gatherFrom = now;
            return false;
        }
        long window = limits.uploadGather().toNanos();
        return now - gatherFrom >= window || now - Math.max(gatherFrom, lastPlaced) >= window / QUIET_PART;
    }
}
