// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.oci.Digest;
import java.io.IOException;

/**
 * A layer whose entries can be read.
 *
 * @param tar its tar stream, in which contents are skipped
 * @param tarDigest the digest of that stream with the contents, which images call its diff id
 * @param tarLength bytes of that stream
 * @param length bytes of the blob
 * @param compression by which the blob is made of that stream
 */
public record OpenLayer(LayerTar tar, Digest tarDigest, long tarLength, long length, LayerCompression compression)
        implements AutoCloseable {
    @Override
    public void close() throws IOException {
        tar.close();
    }
}
