package io.packing.sim.device;

/** How long a storage device takes for a transfer. It serves one at a time; it remembers where the last one ended. */
public interface Device {
    /** Nanoseconds during which the device can begin nothing else. */
    long occupy(int file, long offset, long length, boolean write);

    /** Nanoseconds between two neighbouring bytes of one transfer; 0 when they come together, at its end. */
    double nanosPerByte(boolean write);

    /** Nanoseconds that pass besides, until the caller has its answer, while the device already works for others. */
    long delay(boolean write);
}
