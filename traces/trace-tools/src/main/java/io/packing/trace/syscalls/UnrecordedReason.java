// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

/** A reason for which input or output may have left no event. */
public enum UnrecordedReason {
    /** Operations that were submitted to an io_uring. */
    IO_URING("io_uring"),
    /** Asynchronous requests that the backend did not spell out. */
    AIO("aio"),
    /** Mappings through which a program may change a file without a call. */
    MAPPED_WRITE("mapped-write"),
    /** Lines that cannot be parsed. */
    TORN_LINE("torn-line"),
    /** Calls that began and never returned. */
    UNFINISHED("unfinished"),
    /** Calls that this version does not know. */
    UNKNOWN_CALL("unknown-call");

    private final String label;

    UnrecordedReason(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
