package io.packing.worker.buffer;

import java.util.function.BooleanSupplier;

/**
 * Whether a group of files should wait a moment for more of them: each group costs a sync here and a call and a sync at the
 * master, whose processor time others could use. It pays while the processors are busy, so that nothing stands still
 * meanwhile, and while others come; waits in which too few came make it try less and less often. Confined to one thread.
 */
final class Gathering {
    static final long WAIT_NANOS = 16_000_000L;
    /** A group of so many shares its costs well enough. */
    private static final int ENOUGH = 12;
    /** Files that must come during a wait to make it worth while. */
    private static final int WORTH = 2;

    private static final int MOST_SKIPPED = 64;

    private final BooleanSupplier busy;
    private int toSkip;
    private int skips = 1;

    /** @param busy whether the machine's processors have more to do than they can */
    Gathering(BooleanSupplier busy) {
        this.busy = busy;
    }

    /** Whether a group of so many files should wait. */
    boolean pays(int files) {
        if (files >= ENOUGH || !busy.getAsBoolean()) {
            return false;
        }
        if (toSkip > 0) {
            toSkip--;
            return false;
        }
        return true;
    }

    /** Learns how many files came during a wait. */
    void came(int files) {
        if (files >= WORTH) {
            skips = 1;
        } else {
            toSkip = skips;
            skips = Math.min(2 * skips, MOST_SKIPPED);
        }
    }
}
