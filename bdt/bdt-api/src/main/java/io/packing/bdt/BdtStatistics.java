package io.packing.bdt;

/** Totals of a mount. Dead bytes are blob bytes no live file needs. */
public record BdtStatistics(
        long files,
        long directories,
        long bufferedFiles,
        long packedBytes,
        long blobs,
        long blobBytes,
        long deadBytes) {}
