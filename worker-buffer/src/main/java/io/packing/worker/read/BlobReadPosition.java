// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

/** The position up to which readers have read a blob, and the size of the last fetch. Guarded by itself. */
final class BlobReadPosition {
    private long next = -1;
    private int pages = 1;

    /** Returns the number of pages to fetch from a missing one on. */
    synchronized int pages(long missed, int most) {
        boolean sequential = next >= 0 && missed >= next && missed <= next + pages;
        boolean filling = next >= 0 && missed < next && missed >= next - 2L * pages;
        if (sequential) {
            pages = Math.min(most, 2 * pages);
        } else if (!filling) {
            pages = 1;
        }
        next = Math.max(filling ? next : 0, missed + pages);
        return pages;
    }

    /** Notes a page found on the disk, so that a read of the next one counts as sequential. */
    synchronized void found(long number) {
        if (number == next) {
            next++;
        }
    }
}
