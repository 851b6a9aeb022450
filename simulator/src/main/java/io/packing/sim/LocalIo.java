// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

/**
 * An operation on a local file on its way down the layers of a node. The object is reused: valid only during the call
 * that passes it.
 */
public final class LocalIo {
    /** The kind of operation. */
    public enum Kind {
        READ,
        WRITE,
        /** The file is deleted; the offset is 0, and the length reaches to the end of all earlier operations. */
        DELETE
    }

    public Kind kind = Kind.READ;
    /** The time in nanoseconds since the start of the trace. */
    public long time;
    /** The number of the local file; numbers of deleted files are used again. */
    public int file;

    public long offset;
    public long length;
    public Cause cause = Cause.OTHER;
    /** True if HBase and HDFS suggest to cache the written bytes (§3.4.1). */
    public boolean hinted;

    public void set(Kind newKind, long newTime, int newFile, long newOffset, long newLength, Cause newCause) {
        kind = newKind;
        time = newTime;
        file = newFile;
        offset = newOffset;
        length = newLength;
        cause = newCause;
        hinted = false;
    }
}
