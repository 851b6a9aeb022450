// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The bytes in blobs that workers read for a client that reads no blob itself. */
public interface StoredBytes {
    /** The source for a process that reads blobs itself, and to which the master names all places. */
    StoredBytes NONE = (path, version, offset, length) -> {
        throw new IOException(
                "%s: the master does not say where in blobs version %s is (bdt.places=daemons): the certificate of this process needs O=packing-daemon"
                        .formatted(path, version));
    };

    /**
     * Reads bytes of a version, at most {@code length}; empty when no worker finds it in blobs any more.
     *
     * @param path by which the file was opened
     * @throws io.packing.bdt.DeniedException when this process may not read it
     * @throws io.packing.bdt.UnavailableException when no worker answers
     * @throws io.packing.blob.CorruptBlobException when they were damaged on the way: another read may help
     */
    Optional<ByteBuffer> read(FilePath path, FileVersion version, long offset, int length) throws IOException;
}
