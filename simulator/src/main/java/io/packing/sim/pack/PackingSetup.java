package io.packing.sim.pack;

import java.time.Duration;

/**
 * How the packing layer runs.
 *
 * @param blobMaxBytes a blob is sealed at this size ({@code packing.blob.max.bytes})
 * @param sealAfter a blob is sealed when its first file is this old at the latest ({@code packing.seal.after})
 * @param workers that share the files evenly
 * @param workerFilesPerSecond that one worker takes at most
 * @param workerBytesPerSecond that one worker pushes at most
 * @param backupInterval least time between two backups of the table ({@code packing.backup.interval})
 * @param backupMinFiles files claimed since the last backup below which there is no other
 * @param tableBytesPerFile of a backup
 * @param putMaxBytes that one PUT may carry; larger objects are sent in parts
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
        long putMaxBytes) {
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
                || putMaxBytes < 1) {
            throw new IllegalArgumentException("impossible setup: blobs of %d bytes after %s by %d workers"
                    .formatted(blobMaxBytes, sealAfter, workers));
        }
    }

    /** The defaults of a mount, with what one worker was measured to take on two cores. */
    public static PackingSetup standard() {
        return new PackingSetup(
                1L << 30, Duration.ofMinutes(15), 1, 15_000, 125e6, Duration.ofMinutes(10), 500_000, 60, 5L << 30);
    }

    /** The same with other seals. */
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
                putMaxBytes);
    }

    /** The same with other workers. */
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
                putMaxBytes);
    }
}
