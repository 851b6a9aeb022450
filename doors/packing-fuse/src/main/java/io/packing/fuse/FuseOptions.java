// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/**
 * The settings that a server agrees on with the kernel.
 *
 * @param readOnly whether nothing changes: then the kernel need not announce opens
 * @param timeGranularityNanos times are multiples of it
 * @param maxWriteBytes the most of one read or write
 * @param threads that serve requests
 * @param extended whether the file system has extended attributes: then the kernel enforces ACLs. It leaves umasks, and
 *     the set-user-ID bits at a write, to the file system
 */
public record FuseOptions(
        boolean readOnly, int timeGranularityNanos, int maxWriteBytes, int threads, boolean extended) {
    private static final int PAGE = 4096;

    /** Makes the settings of a file system without extended attributes. */
    public FuseOptions(boolean readOnly, int timeGranularityNanos, int maxWriteBytes, int threads) {
        this(readOnly, timeGranularityNanos, maxWriteBytes, threads, false);
    }

    public FuseOptions {
        if (maxWriteBytes < PAGE || maxWriteBytes % PAGE != 0 || threads < 1 || timeGranularityNanos < 1) {
            throw new IllegalArgumentException("%d bytes at once by %d threads, times of %d ns"
                    .formatted(maxWriteBytes, threads, timeGranularityNanos));
        }
    }

    int maxPages() {
        return maxWriteBytes / PAGE;
    }
}
