// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

/**
 * A file that must exist before a replay.
 *
 * @param path in the trace
 * @param size bytes of a regular file, otherwise 0
 * @param target text of a link; empty for others, and if unknown
 * @param readTo end of the last read: bytes before it are written, those behind it are a hole
 */
record InitialFile(String path, Kind kind, long size, String target, long readTo) {
    /** The kind of the file. Other kinds, such as sockets, become empty files. */
    enum Kind {
        FILE,
        DIRECTORY,
        LINK
    }
}
