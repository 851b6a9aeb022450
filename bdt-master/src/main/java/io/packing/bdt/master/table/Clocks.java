// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The time that a master goes by.
 *
 * @param wall for what is written down, and for people
 * @param nanos for how long something takes; counts from an arbitrary time
 */
public record Clocks(Clock wall, LongSupplier nanos) {
    /** Nanoseconds of the monotonic clock. */
    public long nanoTime() {
        return nanos.getAsLong();
    }
}
