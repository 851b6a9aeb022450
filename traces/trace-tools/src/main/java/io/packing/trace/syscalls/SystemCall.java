// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.List;

/**
 * A system call that returned, as a backend reports it.
 *
 * @param thread id of the calling thread
 * @param wallNanos time of its begin, nanoseconds since 1970
 * @param monoNanos time of its begin by a clock that does not step back
 * @param durationNanos time inside
 * @param name the kernel's, such as {@code openat}
 * @param arguments as far as the backend reports them
 * @param result of the call
 * @param stack functions on the stack, innermost first, as far as the backend reports them
 */
record SystemCall(
        int thread,
        long wallNanos,
        long monoNanos,
        long durationNanos,
        String name,
        Arguments arguments,
        CallResult result,
        List<String> stack) {
    SystemCall {
        stack = List.copyOf(stack);
    }

    SystemCall from(List<String> frames) {
        return new SystemCall(thread, wallNanos, monoNanos, durationNanos, name, arguments, result, frames);
    }

    SystemCall with(Arguments known) {
        return new SystemCall(thread, wallNanos, monoNanos, durationNanos, name, known, result, stack);
    }

    SystemCall returning(long value) {
        CallResult other = new CallResult(true, value, result.descriptor(), "");
        return new SystemCall(thread, wallNanos, monoNanos, durationNanos, name, arguments, other, stack);
    }

    boolean failed() {
        return result.failed();
    }
}
