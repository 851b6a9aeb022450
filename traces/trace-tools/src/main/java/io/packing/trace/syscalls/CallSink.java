package io.packing.trace.syscalls;

/** Takes what a backend sees, in the order in which the calls returned. Confined to one thread. */
interface CallSink {
    /** A call began, and others come before it returns. */
    void began(int thread, String name, Arguments known);

    void returned(SystemCall call);

    /** A thread is gone: it exited, or was killed. */
    void ended(int thread, long wallNanos, long monoNanos);

    /** All threads of a process but {@code by} are gone, and that one goes on as {@code thread}: it called execve. */
    void replaced(int thread, int by);

    /** A thread is one of the process that another is of; the backend does not tell of the call that made it. */
    void joined(int thread, int of);

    /** Something happened that no call tells of. */
    void unseen(Unseen reason, long count, String sample);
}
