// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/** A tar stream that is hashed while it is read, and that ends with a {@link LayerLimitException} when it is too long. Confined to one thread. */
final class CountedTar extends BulkInputStream {
    private final InputStream in;
    private final long most;
    private final MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
    private long length;

    /** @param most bytes */
    CountedTar(InputStream in, long most) {
        this.in = in;
        this.most = most;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        int n = in.read(into, offset, count);
        if (n > 0) {
            hasher.update(into, offset, n);
            length += n;
            if (length > most) {
                throw LayerLimitException.bytes(most);
            }
        }
        return n;
    }

    /** Bytes so far. */
    long length() {
        return length;
    }

    /** Returns the SHA-256 of the bytes so far; later bytes are hashed anew. */
    Digest digest() {
        return Digest.Algorithm.SHA256.of(hasher);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
