// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * The bytes of a blob, hashed while they are read. A finding on a blob is kept for good, so its reader asks first
 * whether these were the blob's bytes. Confined to one thread.
 */
public final class ProvedBytes extends BulkInputStream {
    private static final int BUFFER = 256 << 10;

    private final InputStream blob;
    private final Digest digest;
    private final MessageDigest hasher;

    /** @param blob from its first byte on; the caller closes it */
    public ProvedBytes(InputStream blob, Digest digest) {
        this.blob = blob;
        this.digest = digest;
        this.hasher = digest.algorithm().hasher();
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        int n = blob.read(into, offset, count);
        if (n > 0) {
            hasher.update(into, offset, n);
        }
        return n;
    }

    /**
     * Reads the rest; to be called once, after everything else.
     *
     * @throws IOException when these were not the bytes of the blob
     */
    public void check() throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (int n = read(buffer, 0, BUFFER); n >= 0; n = read(buffer, 0, BUFFER)) {}
        Digest read = digest.algorithm().of(hasher);
        if (!read.equals(digest)) {
            throw new IOException("blob %s was read as %s: nothing is known of it by that".formatted(digest, read));
        }
    }
}
