// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.encryption.Keystore;

/**
 * The thoroughness of a check.
 *
 * @param verify the share of blobs that are read as a whole, 0 to 1
 * @param seed says which blobs these are
 * @param keystore that is asked when blobs are encrypted
 * @param adopted the most objects of adopted files for which the store is asked
 */
public record FsckOptions(double verify, long seed, Keystore keystore, long adopted) {
    /** The options for a mount without encryption, whose adopted objects are not asked for. */
    public FsckOptions(double verify, long seed) {
        this(verify, seed, Keystore.NONE, 0);
    }

    public FsckOptions {
        if (!(verify >= 0 && verify <= 1)) {
            throw new IllegalArgumentException("a share of %s of the blobs: want 0 to 1".formatted(verify));
        }
        if (adopted < 0) {
            throw new IllegalArgumentException("%,d adopted objects: want 0 or more".formatted(adopted));
        }
    }
}
