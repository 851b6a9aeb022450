// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * The totals of a mount. Dead bytes are bytes of blobs that no live file needs.
 *
 * @param bufferedFiles that wait in workers for the store; without lost ones
 * @param lostFiles file versions whose worker came back without them, unless an operator has set them aside
 * @param lostBytes of the lost files
 * @param missingFiles file versions that no worker has reclaimed since a recovery of the table
 * @param reach the positions that the table has given out
 */
public record BdtStatistics(
        long files,
        long directories,
        long bufferedFiles,
        long packedBytes,
        long blobs,
        long blobBytes,
        long deadBytes,
        long lostFiles,
        long lostBytes,
        long missingFiles,
        Reach reach) {
    /** Makes totals of a mount without lost files, for a table that does not report its reach. */
    public BdtStatistics(
            long files,
            long directories,
            long bufferedFiles,
            long packedBytes,
            long blobs,
            long blobBytes,
            long deadBytes) {
        this(files, directories, bufferedFiles, packedBytes, blobs, blobBytes, deadBytes, 0, 0, 0, Reach.ANY);
    }

    /** Returns these totals for a table with that reach. */
    public BdtStatistics reaching(Reach other) {
        return new BdtStatistics(
                files,
                directories,
                bufferedFiles,
                packedBytes,
                blobs,
                blobBytes,
                deadBytes,
                lostFiles,
                lostBytes,
                missingFiles,
                other);
    }
}
