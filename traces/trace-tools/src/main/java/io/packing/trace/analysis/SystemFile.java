package io.packing.trace.analysis;

import io.packing.trace.TraceEvent;

/** A file of a recorded task, under whatever name. */
final class SystemFile {
    final String kind;
    final Ranges read = new Ranges();
    final Ranges written = new Ranges();
    long size = TraceEvent.NONE;
    long largest;
    /** Bytes written since the file was last forced to disk, and since it got its name. */
    long unforced;

    long writtenUnderItsName;
    boolean touched;
    boolean opened;
    boolean prefetched;
    boolean dropped;
    boolean patterned;
    boolean direct;
    boolean executable;
    /** Where a preallocation that nothing was written to yet begins and ends. */
    long preallocatedFrom;

    long preallocatedTo;

    SystemFile(String kind) {
        this.kind = kind;
    }
}
