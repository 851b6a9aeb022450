package io.packing.posix;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * How long a message of closed files waits for more of them: until about half of the files that are being written are in it, so that one half is written
 * while the other half is on its way. Files that stay open for long make messages wait in vain; then the next ones do not wait, up to {@value #MOST_SKIPPED} of
 * them. Confined to whoever holds the lock of the waiting files.
 */
final class Gathering {
    /** Less than what a close takes where others want the processors, too. */
    static final long MOST_NANOS = 4_000_000;

    private static final int MOST_SKIPPED = 64;

    private final IntSupplier written;
    private final LongSupplier nanoTime;
    private int toSkip;
    private int skips = 1;
    private long start;
    private int first;

    /** @param written files that are open and not published, those among them that are closed */
    Gathering(IntSupplier written, LongSupplier nanoTime) {
        this.written = written;
        this.nanoTime = nanoTime;
    }

    /** Begins with a message; returns whether it may wait. */
    boolean begin(int files) {
        if (toSkip > 0) {
            toSkip--;
            return false;
        }
        start = nanoTime.getAsLong();
        first = files;
        return true;
    }

    /** Whether it waits no longer for more. */
    boolean isEnough(int files) {
        return 2 * files >= written.getAsInt();
    }

    /** For how long it still waits; 0 or less: not at all. */
    long left() {
        return MOST_NANOS - (nanoTime.getAsLong() - start);
    }

    /** Ends the wait of a message. */
    void end(int files) {
        if (files > first || isEnough(files)) {
            skips = 1;
        } else {
            toSkip = skips;
            skips = Math.min(2 * skips, MOST_SKIPPED);
        }
    }
}
