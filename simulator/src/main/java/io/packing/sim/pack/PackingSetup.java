// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import java.time.Duration;

/**
 * The configuration of the packing layer.
 *
 * @param blobMaxBytes size at which a blob is sealed ({@code packing.blob.max.bytes})
 * @param sealAfter greatest age of a blob's first file, at which the blob is sealed ({@code packing.seal.after})
 * @param workers that share the files evenly
 * @param workerFilesPerSecond limit of one worker
 * @param workerBytesPerSecond limit of one worker's pushes
 * @param backupInterval least time between two backups of the table ({@code packing.backup.interval})
 * @param backupMinFiles least files claimed between two backups
 * @param tableBytesPerFile of a backup
 * @param putMaxBytes limit of one PUT; larger objects are sent in parts
 * @param pushAhead the push of a blob that is full within this time begins while it fills ({@code packing.push.ahead});
 *     0: when it is full
 */
public record PackingSetup(
        long blobMaxBytes,
        Duration sealAfter,
        int workers,
        double workerFilesPerSecond,
        double workerBytesPerSecond,
        Duration backupInterval,
        long backupMinFiles,
        double tableBytesPerFile,
        long putMaxBytes,
        Duration pushAhead) {
    /** The part of a blob that is there when its push begins. */
    static final double BEGUN = 1.0 / 16;

    public PackingSetup {
        if (blobMaxBytes < 1
                || sealAfter.isNegative()
                || sealAfter.isZero()
                || workers < 1
                || !(workerFilesPerSecond > 0)
                || !(workerBytesPerSecond > 0)
                || backupInterval.isNegative()
                || backupMinFiles < 1
                || !(tableBytesPerFile >= 0)
                || putMaxBytes < 1
                || pushAhead.isNegative()) {
            throw new IllegalArgumentException("impossible setup: blobs of %d bytes after %s by %d workers"
                    .formatted(blobMaxBytes, sealAfter, workers));
        }
    }

    /** Returns the defaults of a mount, with the rates measured of one worker on two cores. */
    public static PackingSetup standard() {
        return new PackingSetup(
                1L << 30,
                Duration.ofMinutes(15),
                1,
                15_000,
                125e6,
                Duration.ofMinutes(10),
                500_000,
                60,
                5L << 30,
                Duration.ofMinutes(1));
    }

    /** Returns this setup with another seal. */
    public PackingSetup sealing(long maxBytes, Duration after) {
        return new PackingSetup(
                maxBytes,
                after,
                workers,
                workerFilesPerSecond,
                workerBytesPerSecond,
                backupInterval,
                backupMinFiles,
                tableBytesPerFile,
                putMaxBytes,
                pushAhead);
    }

    /** Returns this setup with other workers. */
    public PackingSetup with(int count, double filesPerSecond, double bytesPerSecond) {
        return new PackingSetup(
                blobMaxBytes,
                sealAfter,
                count,
                filesPerSecond,
                bytesPerSecond,
                backupInterval,
                backupMinFiles,
                tableBytesPerFile,
                putMaxBytes,
                pushAhead);
    }
}
