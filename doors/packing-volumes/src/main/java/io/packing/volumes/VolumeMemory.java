// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import java.time.Duration;

/**
 * The limits of a volume's memory.
 *
 * @param pendingBytes of written bytes that are not synced: a writer waits above them
 * @param groupBytes of written bytes that go to the table without a sync
 * @param committedBytes of synced bytes that are kept until the table is looked up again
 * @param idle the time after which written bytes go to the table without a sync
 */
public record VolumeMemory(long pendingBytes, long groupBytes, long committedBytes, Duration idle) {
    /** The limits of a server: a quarter of a gigabyte at most. */
    public static final VolumeMemory USUAL = new VolumeMemory(64L << 20, 8L << 20, 64L << 20, Duration.ofSeconds(1));

    public VolumeMemory {
        if (groupBytes <= 0 || pendingBytes < groupBytes || committedBytes <= 0 || idle.isNegative() || idle.isZero()) {
            throw new IllegalArgumentException("limits of %d, %d and %d bytes, and of %s"
                    .formatted(pendingBytes, groupBytes, committedBytes, idle));
        }
    }
}
