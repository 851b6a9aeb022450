// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.encryption.Keystore;

/**
 * The thoroughness of a check.
 *
 * @param verify the share of blobs that are read as a whole, 0 to 1
 * @param seed says which blobs these are
 * @param keystore that is asked when blobs are encrypted
 */
public record FsckOptions(double verify, long seed, Keystore keystore) {
    /** The options for a mount without encryption. */
    public FsckOptions(double verify, long seed) {
        this(verify, seed, Keystore.NONE);
    }

    public FsckOptions {
        if (!(verify >= 0 && verify <= 1)) {
            throw new IllegalArgumentException("a share of %s of the blobs: want 0 to 1".formatted(verify));
        }
    }
}
