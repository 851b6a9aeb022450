// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.BlobName;

/**
 * A blob that is in the store.
 *
 * @param length all its bytes
 * @param framing bytes beside those of its files, see {@link io.packing.blob.Framing}
 */
public record PushedBlob(BlobName name, long length, long framing) {
    /** Makes a blob with unknown framing: all bytes beside those of files count as dead. */
    public PushedBlob(BlobName name, long length) {
        this(name, length, 0);
    }
}
