// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.device;

/**
 * A disk (§3.2.2): a seek between files, none between adjacent offsets, and min{seek, distance / bandwidth} between
 * other offsets of one file.
 */
public final class SpinningDisk implements Device {
    private final long seekNanos;
    private final double nanosPerByte;
    private int lastFile = -1;
    private long lastEnd;

    public SpinningDisk(long seekNanos, long bytesPerSecond) {
        if (seekNanos < 0 || bytesPerSecond < 1) {
            throw new IllegalArgumentException("bad disk: %d ns seek, %d B/s".formatted(seekNanos, bytesPerSecond));
        }
        this.seekNanos = seekNanos;
        this.nanosPerByte = 1e9 / bytesPerSecond;
    }

    @Override
    public long occupy(int file, long offset, long length, boolean write) {
        long seek = file == lastFile
                ? Math.min(seekNanos, Math.round(Math.abs(offset - lastEnd) * nanosPerByte))
                : seekNanos;
        lastFile = file;
        lastEnd = offset + length;
        return seek + Math.round(length * nanosPerByte);
    }

    @Override
    public double nanosPerByte(boolean write) {
        return nanosPerByte;
    }

    @Override
    public long delay(boolean write) {
        return 0;
    }
}
