package io.packing.sim;

/**
 * One operation on a local file on its way down the layers of a node. It is reused: valid only during the call that
 * passes it.
 */
public final class LocalIo {
    /** What is done to the file. */
    public enum Kind {
        READ,
        WRITE,
        /** The file is deleted; offset is 0 and length what was ever touched of it. */
        DELETE
    }

    public Kind kind = Kind.READ;
    /** Nanoseconds since the start of the trace. */
    public long time;
    /** Number of the local file; numbers of deleted files are used again. */
    public int file;

    public long offset;
    public long length;
    public Cause cause = Cause.OTHER;
    /** Whether HBase and HDFS suggest to cache what is written (§3.4.1). */
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
