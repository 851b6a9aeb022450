// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.device;

/** The transfer times of a storage device. It serves one transfer at a time, and remembers where the last one ended. */
public interface Device {
    /** Returns the nanoseconds during which the device can begin no other transfer. */
    long occupy(int file, long offset, long length, boolean write);

    /** Returns the nanoseconds between two neighbouring bytes of one transfer; 0 if all come together at its end. */
    double nanosPerByte(boolean write);

    /** Returns the further nanoseconds until the caller has its answer, while the device already works for others. */
    long delay(boolean write);
}
