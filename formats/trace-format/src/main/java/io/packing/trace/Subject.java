// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/** The object of a {@link Call}. */
public enum Subject {
    /** A file system: the call names paths. */
    FILE_SYSTEM,
    /** An open input stream: the call moves bytes from a file to the client, or a position. */
    INPUT,
    /** An open output stream: the call moves bytes from the client to a file. */
    OUTPUT,
    /** The kernel: a system call, which names a path or a descriptor. */
    SYSTEM,
    /** No object: the event is a note about the trace. */
    NOTE
}
