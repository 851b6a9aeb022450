package io.packing.worker.buffer;

import io.packing.blob.SealRule;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * When the open segment is rolled, so that it can be sealed: by its size and its age, on order, under pressure, and for
 * those who wait for an upload. Asked by the one thread that appends to it; what it is told comes from any.
 */
final class Sealing {
    /** More files than that do not go into one blob: a blob's index is built in memory. */
    static final int MAX_BLOB_FILES = 1 << 18;

    /** The part of the gathering time after which nobody else is expected. */
    private static final int QUIET_PART = 50;

    /** What is on its way out of the buffer. */
    interface Outgoing {
        /** Whether a rolled segment is in no blob yet. */
        boolean waits();

        /** Whether one waits, or is pushed and not committed. */
        boolean isUnderWay();
    }

    private final BufferLimits limits;
    private final LongSupplier nanoTime;
    private final Doorbell bell;
    /** What somebody wants from now on. */
    private volatile SealRule.Terms wanted;
    /** Confined to who asks, as the rule made of them is. */
    private SealRule.Terms terms;

    private SealRule rule;

    private volatile boolean ordered;
    /** When it was ordered last. */
    private volatile long orderedNanos;

    private volatile boolean pressed;
    private volatile boolean uploadWanted;
    private volatile long lastPlaced;
    /** Since when no push is under way. Confined to who asks. */
    private long gatherFrom;

    /** @param bell wakes who asks */
    Sealing(BufferLimits limits, LongSupplier nanoTime, Doorbell bell) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.bell = bell;
        this.gatherFrom = nanoTime.getAsLong();
        this.lastPlaced = gatherFrom;
        this.wanted = limits.seal();
        this.terms = limits.seal();
        this.rule = new SealRule(terms, gatherFrom);
    }

    /** Other terms hold from now on, for the segment that is open as well. */
    void change(SealRule.Terms other) {
        wanted = other;
        bell.ring();
    }

    /** Somebody wants everything appended so far to be sealed. */
    void order() {
        // First: whoever sees the order sees its time.
        orderedNanos = nanoTime.getAsLong();
        ordered = true;
        bell.ring();
    }

    /** The buffer or its disk is full. */
    void press() {
        pressed = true;
        bell.ring();
    }

    /** Somebody waits for an upload, and shares a blob with those who do so, too. */
    void wantUpload() {
        uploadWanted = true;
        bell.ring();
    }

    /** A segment is the open one from now on. */
    void opened(BufferSegment open) {
        rule.opened(open.openedNanos());
    }

    /** The open segment is sealed. */
    void rolled(BufferSegment open, SealCause why) {
        rule.sealed(why.rule(), open.openedNanos(), lastPlaced, nanoTime.getAsLong());
    }

    /** A record was appended. */
    void placed() {
        lastPlaced = nanoTime.getAsLong();
    }

    /** Everything appended so far is sealed. A request left standing would send the next file away by itself. */
    void met() {
        ordered = false;
        pressed = false;
        uploadWanted = false;
    }

    /**
     * Why the open segment, which is not empty, should be rolled now.
     *
     * @param records in it
     */
    Optional<SealCause> cause(BufferSegment open, int records, Outgoing outgoing) {
        if (!wanted.equals(terms)) {
            terms = wanted;
            rule = new SealRule(terms, nanoTime.getAsLong());
        }
        // Asked each time: it notes since when nothing is under way.
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
        Optional<SealRule.Cause> due = rule.due(open.openedNanos(), lastPlaced, nanoTime.getAsLong());
        if (due.isPresent()) {
            return due.map(SealCause::of);
        } else if (needsNoCompany(open) && !outgoing.waits()) {
            return Optional.of(SealCause.IDLE);
        }
        return Optional.empty();
    }

    /**
     * For how long the open segment cannot be due, if nothing comes and nobody asks for anything, in nanoseconds. Nothing is
     * said of what depends on what is under way.
     */
    long restNanos(BufferSegment open) {
        if (ordered || pressed || uploadWanted || needsNoCompany(open)) {
            return 0;
        }
        long now = nanoTime.getAsLong();
        return rule.next(open.openedNanos(), lastPlaced, now) - now;
    }

    /** Whoever finds the way to the store free need not wait for company: a later blob costs no more than this one. */
    private boolean needsNoCompany(BufferSegment open) {
        return limits.sealIdleBytes() > 0 && open.position() >= limits.sealIdleBytes();
    }

    /** An order is for what was there: a segment that was opened later has nothing of it. */
    private boolean isOrdered(BufferSegment open) {
        return ordered && open.openedNanos() - orderedNanos <= 0;
    }

    /**
     * Whether those who wait for an upload have waited for company long enough. A push that ends releases its closers,
     * and most of them come back at once with their next file: the wait starts when no push is under way.
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
