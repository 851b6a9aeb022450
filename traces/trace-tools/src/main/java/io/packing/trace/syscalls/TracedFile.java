// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;

/** A file of the traced programs, whatever its names. */
final class TracedFile {
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
