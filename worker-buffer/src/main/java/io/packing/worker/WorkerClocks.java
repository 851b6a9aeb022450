package io.packing.worker;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The time that a worker goes by.
 *
 * @param wall for what is written down, and for people
 * @param nanos for how long something takes; counts from an arbitrary time
 */
record WorkerClocks(Clock wall, LongSupplier nanos) {}
