package io.packing.bdt;

import io.packing.blob.BlobName;

/**
 * A blob that is in the store.
 *
 * @param length all its bytes
 * @param framing bytes that are there for its files without being theirs, see {@link io.packing.blob.Framing}
 */
public record PushedBlob(BlobName name, long length, long framing) {
    /** Makes one whose framing is not known: all that is no file's counts as dead. */
    public PushedBlob(BlobName name, long length) {
        this(name, length, 0);
    }
}
