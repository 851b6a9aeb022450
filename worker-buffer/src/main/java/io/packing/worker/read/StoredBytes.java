package io.packing.worker.read;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Bytes in blobs as workers give them to a client that reads no blob itself. */
public interface StoredBytes {
    /** Those of a process that reads blobs itself, and to which the master names all places. */
    StoredBytes NONE = (path, version, offset, length) -> {
        throw new IOException(
                "%s: the master does not say where in blobs version %s is (bdt.places=daemons): the certificate of this process has to say O=packing-daemon"
                        .formatted(path, version));
    };

    /**
     * Bytes of a version, at most {@code length}; empty when no worker finds it in blobs any more.
     *
     * @param path by which the file was opened
     * @throws io.packing.bdt.DeniedException when this process may not read it
     * @throws io.packing.bdt.UnavailableException when no worker answers
     * @throws io.packing.blob.CorruptBlobException when they were damaged on the way: reading them again may help
     */
    Optional<ByteBuffer> read(FilePath path, FileVersion version, long offset, int length) throws IOException;
}
