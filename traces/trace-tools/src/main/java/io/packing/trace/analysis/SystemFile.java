// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.TraceEvent;

/** A file of a recorded task, under all its names. */
final class SystemFile {
    final String kind;
    final ByteRanges read = new ByteRanges();
    final ByteRanges written = new ByteRanges();
    long size = TraceEvent.NONE;
    long largest;
    /** The bytes written since the file was last forced to disk; the next field counts since it got its name. */
    long unforced;

    long writtenUnderItsName;
    boolean touched;
    boolean opened;
    boolean prefetched;
    boolean dropped;
    boolean patterned;
    boolean direct;
    boolean executable;
    /** The begin of a preallocation without writes so far; the next field is its end. */
    long preallocatedFrom;

    long preallocatedTo;

    SystemFile(String kind) {
        this.kind = kind;
    }
}
