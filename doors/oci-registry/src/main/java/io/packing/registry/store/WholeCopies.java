// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;

/** Blobs that nodes have whole. Thread-safe. */
public interface WholeCopies {
    /**
     * Opens the bytes of a blob from a position on. Goes on with another copy when a node falls silent.
     *
     * @throws java.io.FileNotFoundException here or while it is read, when no node that answers has it whole
     */
    InputStream open(Digest digest, long length, long position) throws IOException;

    /**
     * Makes the nodes check their files of a blob that was read with other bytes than its digest says.
     *
     * @param files the hashes of its contents
     */
    void doubt(Digest digest, Collection<String> files);
}
