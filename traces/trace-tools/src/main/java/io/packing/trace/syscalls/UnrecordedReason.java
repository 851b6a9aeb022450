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
    UNKNOWN_CALL("unknown-call"),
    /** Calls and page faults whose records found the kernel's ring full. */
    LOST_RECORD("lost-record"),
    /** Threads that were not followed, since there were too many. */
    LOST_THREAD("lost-thread"),
    /** Paths that the kernel's programs could not read. */
    UNREAD_PATH("unread-path");

    private final String label;

    UnrecordedReason(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
