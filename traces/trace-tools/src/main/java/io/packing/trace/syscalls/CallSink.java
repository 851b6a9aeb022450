// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

/** A receiver of a backend's calls, in the order in which they returned. Confined to one thread. */
interface CallSink {
    /** Learns that a call began, and that others come before its return. */
    void began(int thread, String name, Arguments known);

    void returned(SystemCall call);

    /** Learns that a thread exited or was killed. */
    void ended(int thread, long wallNanos, long monoNanos);

    /**
     * Learns that thread {@code by} called execve: its process goes on as {@code thread}, and all other threads of the
     * process are gone.
     */
    void replaced(int thread, int by);

    /**
     * Learns that a thread belongs to the process of another one; the backend does not report the call that made it.
     */
    void joined(int thread, int of);

    /** Learns that a thread makes another one, before the first call of that. */
    void forked(int thread, String flags, int child);

    /**
     * Learns that a page fault brought pages of a mapped file in.
     *
     * @param address of the fault
     * @param firstPage in the file, and {@code lastPage} likewise
     */
    void faulted(int thread, long address, long firstPage, long lastPage, long wallNanos, long monoNanos);

    /** Learns the processor time of all that was recorded, in nanoseconds. */
    void used(long processorNanos);

    /** Learns of an operation without a call. */
    void unseen(UnrecordedReason reason, long count, String sample);
}
