package io.packing.worker.read;

/** How far a blob was read, and how much the last miss fetched. Guarded by itself. */
final class ReadAhead {
    private long next = -1;
    private int pages = 1;

    /** How many pages to fetch from one that is not there. */
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

    /** A page was found on the disk: who reads on from there reads on. */
    synchronized void found(long number) {
        if (number == next) {
            next++;
        }
    }
}
