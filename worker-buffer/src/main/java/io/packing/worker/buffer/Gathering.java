package io.packing.worker.buffer;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Lets a group of files wait for more of them: each group costs a sync here, and a call and a sync at the master, whose
 * processor time others could use. Its thread gives the processor up for as long as others want it, so that no processor
 * stands still meanwhile. Waits to the end in which no file came make it wait less and less often. Confined to one thread.
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

    private static final int MOST_SKIPPED = 64;

    private final Runnable stepAside;
    private final LongSupplier nanoTime;
    private int toSkip;
    private int skips = 1;

    Gathering() {
        this(Thread::yield, System::nanoTime);
    }

    /**
     * @param stepAside gives the processor to threads that wait for one, and returns at once when none does
     * @param nanoTime monotonic nanoseconds
     */
    Gathering(Runnable stepAside, LongSupplier nanoTime) {
        this.stepAside = stepAside;
        this.nanoTime = nanoTime;
    }

    /**
     * Waits while others use the processor.
     *
     * @param take takes the files that came since into the group, and returns how many
     * @param full whether the group is large enough to pay for itself, or takes no more
     */
    void gather(IntSupplier take, BooleanSupplier full) {
        if (toSkip > 0) {
            toSkip--;
            return;
        }
        long start = nanoTime.getAsLong();
        long last = start;
        long cameAt = start;
        int came = 0;
        boolean wanted = true;
        while (wanted && !full.getAsBoolean() && last - start < MOST_NANOS && last - cameAt < GAP_NANOS) {
            stepAside.run();
            int more = take.getAsInt();
            long now = nanoTime.getAsLong();
            wanted = more > 0 || now - last >= TAKEN_NANOS;
            came += more;
            cameAt = more > 0 ? now : cameAt;
            last = now;
        }
        if (came > 0) {
            skips = 1;
        } else if (last - cameAt >= GAP_NANOS) {
            toSkip = skips;
            skips = Math.min(2 * skips, MOST_SKIPPED);
        }
    }
}
