package io.packing.bdt;

/**
 * Totals of a mount. Dead bytes are blob bytes no live file needs.
 *
 * @param bufferedFiles that wait in workers for the store; none that is lost
 * @param lostFiles file versions whose worker came back without them, and that nobody has set aside since
 * @param lostBytes of these
 * @param missingFiles file versions that no worker has come back with since a recovery of the table
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
    /** Totals of a mount that has lost nothing, of a table that does not tell its reach. */
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

    /** Returns these totals of a table with that reach. */
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
