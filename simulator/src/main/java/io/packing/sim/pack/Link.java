// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

/** A network link: transfers share its bandwidth in the order in which they begin, none faster than one connection. */
final class Link {
    private final double nanosPerByte;
    private final double nanosPerByteOfConnection;
    private long free;

    Link(double bytesPerSecond, double bytesPerSecondOfConnection) {
        this.nanosPerByte = 1e9 / bytesPerSecond;
        this.nanosPerByteOfConnection = 1e9 / bytesPerSecondOfConnection;
    }

    /** Begins a transfer; returns the time of its end. */
    long transfer(long now, long bytes) {
        free = Math.max(free, now) + Math.round(bytes * nanosPerByte);
        return Math.max(free, now + Math.round(bytes * nanosPerByteOfConnection));
    }
}
