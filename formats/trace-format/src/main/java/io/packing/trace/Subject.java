package io.packing.trace;

/** What a {@link Call} is made on. */
public enum Subject {
    /** A file system: the call names paths. */
    FILE_SYSTEM,
    /** An open input stream: the call moves bytes from a file to the client, or a position. */
    INPUT,
    /** An open output stream: the call moves bytes from the client to a file. */
    OUTPUT,
    /** The kernel: a system call, which names a path or a descriptor. */
    SYSTEM,
    /** Nothing: the event is a note about the trace. */
    NOTE
}
