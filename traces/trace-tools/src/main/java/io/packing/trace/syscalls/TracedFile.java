package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;

/** A file of the traced programs, whatever its names. */
final class TracedFile {
    private InitialState.Kind kind = InitialState.Kind.FILE;
    private boolean kindKnown;
    private long size = TraceEvent.NONE;

    /** Bytes; {@link TraceEvent#NONE} when nobody knows. */
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

    /** Whether bytes in it have places: unlike those of a terminal. */
    boolean hasOffsets() {
        return kind == InitialState.Kind.FILE;
    }

    /** Bytes were written up to {@code end}. */
    void wroteTo(long end) {
        if (isSizeKnown()) {
            size = Math.max(size, end);
        }
    }

    /** Bytes were read up to {@code end}: there are at least as many. */
    void readTo(long end) {
        if (isSizeKnown()) {
            size = Math.max(size, end);
        }
    }
}
