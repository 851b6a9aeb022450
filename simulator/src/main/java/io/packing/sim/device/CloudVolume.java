// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.device;

/** A network volume: rations operations and bytes per second wherever they are, and answers with a latency. */
public final class CloudVolume implements Device {
    private final double nanosPerOperation;
    private final long operationBytes;
    private final double nanosPerByte;
    private final long latencyNanos;

    /**
     * @param operationsPerSecond provisioned operations
     * @param operationBytes most bytes of one operation; a longer transfer counts as several
     */
    public CloudVolume(long latencyNanos, int operationsPerSecond, long operationBytes, long bytesPerSecond) {
        if (latencyNanos < 0 || operationsPerSecond < 1 || operationBytes < 1 || bytesPerSecond < 1) {
            throw new IllegalArgumentException("bad volume: %d ns, %d operations of %d bytes, %d B/s"
                    .formatted(latencyNanos, operationsPerSecond, operationBytes, bytesPerSecond));
        }
        this.latencyNanos = latencyNanos;
        this.nanosPerOperation = 1e9 / operationsPerSecond;
        this.operationBytes = operationBytes;
        this.nanosPerByte = 1e9 / bytesPerSecond;
    }

    @Override
    public long occupy(int file, long offset, long length, boolean write) {
        long operations = Math.max(1, (length + operationBytes - 1) / operationBytes);
        return Math.round(Math.max(operations * nanosPerOperation, length * nanosPerByte));
    }

    @Override
    public double nanosPerByte(boolean write) {
        return 0;
    }

    @Override
    public long delay(boolean write) {
        return latencyNanos;
    }
}
