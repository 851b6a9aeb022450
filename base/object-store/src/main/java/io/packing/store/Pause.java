// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

/** The way to wait; {@code Thread::sleep} outside of tests. */
@FunctionalInterface
public interface Pause {
    /** Returns after so many milliseconds. */
    void millis(long millis) throws InterruptedException;
}
