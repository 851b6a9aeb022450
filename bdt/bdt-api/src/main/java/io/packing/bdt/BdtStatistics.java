package io.packing.bdt;

/**
 * Totals of a mount. Dead bytes are blob bytes no live file needs.
 *
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
        Reach reach) {
    /** Totals of a table that does not tell its reach. */
    public BdtStatistics(
            long files,
            long directories,
            long bufferedFiles,
            long packedBytes,
            long blobs,
            long blobBytes,
            long deadBytes) {
        this(files, directories, bufferedFiles, packedBytes, blobs, blobBytes, deadBytes, Reach.ANY);
    }

    /** Returns these totals of a table with that reach. */
    public BdtStatistics reaching(Reach other) {
        return new BdtStatistics(files, directories, bufferedFiles, packedBytes, blobs, blobBytes, deadBytes, other);
    }
}
