// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.device;

/** An NVMe drive: commands share its bandwidth but not its latency, since the drive serves many at once. */
public final class FlashDrive implements Device {
    private final long readNanos;
    private final long writeNanos;
    private final double nanosPerByteRead;
    private final double nanosPerByteWritten;

    public FlashDrive(long readNanos, long writeNanos, long bytesPerSecondRead, long bytesPerSecondWritten) {
        if (readNanos < 0 || writeNanos < 0 || bytesPerSecondRead < 1 || bytesPerSecondWritten < 1) {
            throw new IllegalArgumentException("bad flash drive: %d and %d ns, %d and %d B/s"
                    .formatted(readNanos, writeNanos, bytesPerSecondRead, bytesPerSecondWritten));
        }
        this.readNanos = readNanos;
        this.writeNanos = writeNanos;
        this.nanosPerByteRead = 1e9 / bytesPerSecondRead;
        this.nanosPerByteWritten = 1e9 / bytesPerSecondWritten;
    }

    @Override
    public long occupy(int file, long offset, long length, boolean write) {
        return Math.round(length * (write ? nanosPerByteWritten : nanosPerByteRead));
    }

    @Override
    public double nanosPerByte(boolean write) {
        return write ? nanosPerByteWritten : nanosPerByteRead;
    }

    @Override
    public long delay(boolean write) {
        return write ? writeNanos : readNanos;
    }
}
