package io.packing.worker.buffer;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * How a thread leaves its processor to others, and sees whether they want one.
 *
 * @param stepAside gives the processor to threads that wait for one, and returns at once when none does
 * @param nap leaves the processor idle for about so many nanoseconds
 * @param nanos monotonic nanoseconds
 * @param proc where Linux tells how many threads run (proc(5)); where nothing is, nobody runs but the caller
 */
public record Scheduling(Runnable stepAside, LongConsumer nap, LongSupplier nanos, Path proc) {
    /** That of this machine. */
    public static Scheduling ofMachine() {
        return new Scheduling(Thread::yield, LockSupport::parkNanos, System::nanoTime, Path.of("/proc"));
    }

    /** Nobody else wants the processor, ever: for a thread that steps all there is. */
    public static Scheduling alone(LongSupplier nanos) {
        return new Scheduling(() -> {}, asked -> {}, nanos, Path.of("/nothing"));
    }
}
