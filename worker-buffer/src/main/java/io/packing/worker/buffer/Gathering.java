package io.packing.worker.buffer;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Lets a group of files wait for more of them: each group costs a sync here, and a call and a sync at the master, whose
 * processor time others could use. Its thread gives the processor up for as long as others want it, so that no processor
 * stands still meanwhile; where nobody wants this one and all others are busy it naps, so that the processor can take over
 * what waits at another. It does not nap for those who stream, since they have handed over all that they may before an
 * answer. A group on a machine that has nothing else to do does not wait, nor does one that has a file of every writer, and
 * waits in vain become rare. Confined to one thread.
 *
 * <p>On Linux a thread gives way within its control group: when only others outside want the processor, it does not wait.
 */
final class Gathering {
    /** A group waits no longer: where others want the processor for so long, a close takes as long anyhow. */
    static final long MOST_NANOS = 50_000_000L;
    /** Nor so long in which no file came: those who write are in the group, then. */
    static final long GAP_NANOS = 8_000_000L;
    /** What giving the processor up takes at least when somebody else wanted it. */
    static final long TAKEN_NANOS = 50_000L;

    static final long NAP_NANOS = 500_000L;

    private static final int MOST_SKIPPED = 64;

    /** A group of files that may wait. */
    interface Group {
        /** Takes the files that came since into the group, and returns how many. */
        int take();

        /** Whether the group is large enough to pay for itself, or takes no more. */
        boolean isFull();

        /** Whether a file of the group is one that a writer closes, who writes the next one after that. */
        boolean hasClosed();

        /** Whether no further file is to be expected: all who write wait for an answer already. */
        boolean hasAll();
    }

    private final Runnable stepAside;
    private final Runnable nap;
    private final BooleanSupplier othersBusy;
    private final LongSupplier nanoTime;

    private int toSkip;
    private int skips = 1;

    Gathering(Scheduling scheduling, RunQueue runQueue) {
        this(scheduling.stepAside(), () -> scheduling.nap().accept(NAP_NANOS), runQueue::isLong, scheduling.nanos());
    }

    /**
     * @param stepAside gives the processor to threads that wait for one, and returns at once when none does
     * @param nap leaves the processor idle for {@link #NAP_NANOS}
     * @param othersBusy whether every processor but this one has something to do
     * @param nanoTime monotonic nanoseconds
     */
    Gathering(Runnable stepAside, Runnable nap, BooleanSupplier othersBusy, LongSupplier nanoTime) {
        this.stepAside = stepAside;
        this.nap = nap;
        this.othersBusy = othersBusy;
        this.nanoTime = nanoTime;
    }

    /** Waits while others use the processors. */
    void gather(Group group) {
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
                && !group.isFull()
                && !group.hasAll()
                && last - start < MOST_NANOS
                && last - cameAt < GAP_NANOS) {
            stepAside.run();
            int more = group.take();
            long now = nanoTime.getAsLong();
            boolean wanted = now - last >= TAKEN_NANOS;
            came += more;
            cameAt = more > 0 ? now : cameAt;
            last = now;
            if (more == 0 && !wanted) {
                waiting = group.hasClosed() && othersBusy.getAsBoolean();
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
