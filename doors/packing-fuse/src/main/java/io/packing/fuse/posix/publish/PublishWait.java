// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.publish;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The wait of a message of closed files for more of them. It lasts until the message has about half of the files under
 * writing, so that programs write one half while the other is on its way. Files that stay open for long make messages
 * wait in vain; then the next ones do not wait, up to {@value #MOST_SKIPPED} of them. Guarded by the lock of the
 * waiting files.
 */
final class PublishWait {
    /** The longest wait, shorter than a close takes where others want the processors, too. */
    static final long MOST_NANOS = 4_000_000;

    private static final int MOST_SKIPPED = 64;

    private final IntSupplier written;
    private final LongSupplier nanoTime;
    private int toSkip;
    private int skips = 1;
    private long start;
    private int first;

    /** @param written counts the files that are open or closed, but not published */
    PublishWait(IntSupplier written, LongSupplier nanoTime) {
        this.written = written;
        this.nanoTime = nanoTime;
    }

    /** Begins with a message; returns true if it may wait. */
    boolean begin(int files) {
        if (toSkip > 0) {
            toSkip--;
            return false;
        }
        start = nanoTime.getAsLong();
        first = files;
        return true;
    }

    /** Returns whether it waits no longer for more. */
    boolean isEnough(int files) {
        return 2 * files >= written.getAsInt();
    }

    /** Returns the rest of its wait; 0 or less: it does not wait. */
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
