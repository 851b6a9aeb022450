package io.packing.trace.syscalls.replay;

/**
 * A file that must be there before a replay.
 *
 * @param path in the trace
 * @param size bytes; 0 for what is no regular file
 * @param target text of a link; empty for others and when nobody knows
 * @param readTo where the last read of it ends: bytes before are written, those behind are a hole
 */
record InitialFile(String path, Kind kind, long size, String target, long readTo) {
    /** What it is. Sockets and the like become empty files. */
    enum Kind {
        FILE,
        DIRECTORY,
        LINK
    }
}
