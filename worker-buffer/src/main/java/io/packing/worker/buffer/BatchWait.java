// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A wait that lets a batch of files grow. Each batch costs a sync here, and a call and a sync at the master, whose
 * processor time other work could use. The thread yields its processor as long as other threads want it, so that no
 * processor idles. If none wants this one and all others are busy, it naps, so that its processor can take threads that
 * wait at another. It does not nap for streaming writers, which have handed over all files that their limit allows. On
 * an idle machine a batch does not wait, nor does one that has a file of every writer. After vain waits it waits ever
 * more rarely. Confined to one thread.
 *
 * <p>On Linux a yield counts within the thread's control group: a thread outside of it does not make the batch wait.
 */
final class BatchWait {
    /**
     * The longest wait of a batch: where other threads want the processor for so long, a close takes as long anyhow.
     */
    static final long MOST_NANOS = 50_000_000L;
    /** The longest wait without a new file: the files of all writers are in the batch by then. */
    static final long GAP_NANOS = 8_000_000L;
    /** The shortest time of a yield to a thread that wanted the processor. */
    static final long TAKEN_NANOS = 50_000L;

    static final long NAP_NANOS = 500_000L;

    private static final int MOST_SKIPPED = 64;

    /** A batch of files that may wait. */
    interface WaitingBatch {
        /** Takes the new files into the batch; returns their number. */
        int take();

        /** Returns whether the batch is large enough to pay for itself, or takes no more files. */
        boolean isFull();

        /** Returns whether the writer of a file in the batch writes its next file only after the answer. */
        boolean hasClosed();

        /** Returns whether all writers wait for an answer already, so that no file is to come. */
        boolean hasAll();
    }

    private final Runnable stepAside;
    private final Runnable nap;
    private final BooleanSupplier othersBusy;
    private final LongSupplier nanoTime;

    private int toSkip;
    private int skips = 1;

    BatchWait(Scheduling scheduling, RunQueue runQueue) {
        this(scheduling.stepAside(), () -> scheduling.nap().accept(NAP_NANOS), runQueue::isLong, scheduling.nanos());
    }

    /**
     * @param stepAside yields the processor to waiting threads, and returns at once without one
     * @param nap leaves the processor idle for {@link #NAP_NANOS}
     * @param othersBusy true if every processor but this one has work
     * @param nanoTime monotonic nanoseconds
     */
    BatchWait(Runnable stepAside, Runnable nap, BooleanSupplier othersBusy, LongSupplier nanoTime) {
        this.stepAside = stepAside;
        this.nap = nap;
        this.othersBusy = othersBusy;
        this.nanoTime = nanoTime;
    }

    /** Waits while others use the processors. */
    void gather(WaitingBatch batch) {
        if (toSkip > 0) {
            toSkip--;
            return;
        }
        long start = nanoTime.getAsLong();
        long last = start;
        long cameAt = start;
        int came = 0;
        boolean waiting = true;
        while (waiting
                && !batch.isFull()
                && !batch.hasAll()
                && last - start < MOST_NANOS
                && last - cameAt < GAP_NANOS) {
            stepAside.run();
            int more = batch.take();
            long now = nanoTime.getAsLong();
            boolean wanted = now - last >= TAKEN_NANOS;
            came += more;
            cameAt = more > 0 ? now : cameAt;
            last = now;
            if (more == 0 && !wanted) {
                waiting = batch.hasClosed() && othersBusy.getAsBoolean();
                if (waiting) {
                    nap.run();
                    last = nanoTime.getAsLong();
                }
            }
        }
        if (came > 0) {
            skips = 1;
        } else if (last - cameAt >= GAP_NANOS) {
            toSkip = skips;
            skips = Math.min(2 * skips, MOST_SKIPPED);
        }
    }
}
