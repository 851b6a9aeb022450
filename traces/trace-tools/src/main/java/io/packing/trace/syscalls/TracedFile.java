// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import java.util.BitSet;
import java.util.function.BiConsumer;

/** A file of the traced programs, whatever its names. */
final class TracedFile {
    /** The bytes of a page of memory. */
    static final long PAGE = 4096;

    private static final long MOST_PAGES = 1L << 30;

    private final BitSet paged = new BitSet();
    private InitialState.Kind kind = InitialState.Kind.FILE;
    private boolean kindKnown;
    private long size = TraceEvent.NONE;

    /** Returns the bytes; {@link TraceEvent#NONE} if unknown. */
    long size() {
        return size;
    }

    void size(long bytes) {
        size = bytes;
    }

    boolean isSizeKnown() {
        return size != TraceEvent.NONE;
    }

    void kind(InitialState.Kind known) {
        kind = known;
        kindKnown = true;
    }

    boolean isDirectory() {
        return kindKnown && kind == InitialState.Kind.DIR;
    }

    boolean isLink() {
        return kindKnown && kind == InitialState.Kind.LINK;
    }

    /** Returns whether bytes in it have offsets, unlike those of a terminal. */
    boolean hasOffsets() {
        return kind == InitialState.Kind.FILE;
    }

    /**
     * Notes that page faults brought pages in, up to the file's end.
     *
     * @param news receives the offset and the bytes of each run of pages that no fault brought in before
     */
    void paged(long first, long last, BiConsumer<Long, Long> news) {
        long end = isSizeKnown() ? Math.min(last + 1, (size + PAGE - 1) / PAGE) : last + 1;
        int to = (int) Math.min(MOST_PAGES, end);
        int from = paged.nextClearBit((int) Math.max(0, Math.min(MOST_PAGES, first)));
        while (from < to) {
            int next = paged.nextSetBit(from);
            int until = next < 0 ? to : Math.min(to, next);
            paged.set(from, until);
            long bytes = isSizeKnown() ? Math.min(size, until * PAGE) - from * PAGE : (until - from) * PAGE;
            news.accept(from * PAGE, bytes);
            from = paged.nextClearBit(until);
        }
    }

    /** Notes that a program wrote bytes up to {@code end}. */
    void wroteTo(long end) {
        if (isSizeKnown()) {
            size = Math.max(size, end);
        }
    }

    /** Notes that a program read bytes up to {@code end}: the file has at least as many. */
    void readTo(long end) {
        if (isSizeKnown()) {
            size = Math.max(size, end);
        }
    }
}
