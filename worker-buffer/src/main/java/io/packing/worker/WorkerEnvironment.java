package io.packing.worker;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * What a worker finds on its machine that is another thing each time: with all of it given, a worker that is stepped does the
 * same again.
 *
 * @param wall time for what is written down, and for people
 * @param nanos time for how long something takes; counts from an arbitrary time
 * @param random numbers that nobody outside can foresee
 */
record WorkerEnvironment(Clock wall, LongSupplier nanos, IntSupplier random) {
    /** The real one, with a clock for what is written down. */
    static WorkerEnvironment of(Clock wall) {
        return new WorkerEnvironment(wall, System::nanoTime, new SecureRandom()::nextInt);
    }
}
