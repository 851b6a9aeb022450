package io.packing.worker;

import io.packing.sorted.Boot;
import io.packing.worker.buffer.Scheduling;
import io.packing.worker.read.ReadCaches;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * What a worker finds on its machine and in its process that is another thing each time: with all of it given, a worker that is
 * stepped does the same again.
 *
 * @param wall time for what is written down, and for people
 * @param nanos time for how long something takes; counts from an arbitrary time
 * @param random numbers that nobody outside can foresee
 * @param scheduling of the thread that gathers files
 * @param caches of what is read, which others in the process may share
 * @param places where files are on the machine: a copy of a file is elsewhere
 */
record WorkerEnvironment(
        Clock wall, LongSupplier nanos, IntSupplier random, Scheduling scheduling, ReadCaches caches, Places places) {
    /** Names the place of a file on its machine. */
    interface Places {
        String of(Path file) throws IOException;
    }

    /** The real one, with a clock for what is written down, and caches. */
    static WorkerEnvironment of(Clock wall, ReadCaches caches) {
        return new WorkerEnvironment(
                wall, System::nanoTime, new SecureRandom()::nextInt, Scheduling.ofMachine(), caches, Boot::place);
    }
}
