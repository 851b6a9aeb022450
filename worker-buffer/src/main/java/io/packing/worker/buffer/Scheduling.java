// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The means by which a thread yields its processor, and sees if other threads want one.
 *
 * @param stepAside yields the processor to waiting threads, and returns at once without one
 * @param nap leaves the processor idle for about so many nanoseconds
 * @param nanos monotonic nanoseconds
 * @param proc directory with Linux's count of running threads (proc(5)); without it only the calling thread counts
 */
public record Scheduling(Runnable stepAside, LongConsumer nap, LongSupplier nanos, Path proc) {
    /** Returns the scheduling of this machine. */
    public static Scheduling ofMachine() {
        return new Scheduling(Thread::yield, LockSupport::parkNanos, System::nanoTime, Path.of("/proc"));
    }

    /** Returns a scheduling without other threads, for a test that steps all work on one. */
    public static Scheduling alone(LongSupplier nanos) {
        return new Scheduling(() -> {}, asked -> {}, nanos, Path.of("/nothing"));
    }
}
