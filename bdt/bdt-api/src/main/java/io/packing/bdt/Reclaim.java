// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;

/**
 * A file that a worker still buffers after its own restart or its master's.
 *
 * @param version generation 0 when the worker does not know the outcome of the claim
 * @param path at the time of the claim
 * @param deferred as in its {@link Claim}; counts only when the master has lost the claim
 * @param claimedAfter a position of the table that the worker knew before it sent a claim that may overwrite; 0: it knew none. It counts
 *     only when the worker does not know the outcome of the claim
 */
public record Reclaim(
        FileVersion version, FilePath path, FileAttributes attributes, boolean deferred, long claimedAfter) {
    /** Makes the reclaim of a claim that replaced an existing file at once. */
    public Reclaim(FileVersion version, FilePath path, FileAttributes attributes) {
        this(version, path, attributes, false, 0);
    }
}
