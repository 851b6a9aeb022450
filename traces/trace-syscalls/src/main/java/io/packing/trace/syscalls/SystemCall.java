package io.packing.trace.syscalls;

/**
 * A system call that returned, as a backend tells of it.
 *
 * @param thread id of the calling thread
 * @param wallNanos when it began, nanoseconds since 1970
 * @param monoNanos the same by a clock that does not step back
 * @param durationNanos time inside
 * @param name the kernel's, such as {@code openat}
 * @param arguments as far as the backend tells them
 * @param result what it returned
 */
record SystemCall(
        int thread,
        long wallNanos,
        long monoNanos,
        long durationNanos,
        String name,
        Arguments arguments,
        CallResult result) {
    boolean failed() {
        return result.failed();
    }
}
