// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The other workers, for reads and flushes. */
public interface Peers {
    /**
     * Reads bytes of a file that the worker buffers, at most {@code length}; empty when it does not buffer it any more.
     *
     * @param path by which the file was opened
     * @throws io.packing.bdt.DeniedException when this process may not read it
     * @throws io.packing.blob.CorruptBlobException when they were damaged on the way: another read may help
     */
    Optional<ByteBuffer> read(String address, String mount, FilePath path, FileVersion version, long offset, int length)
            throws IOException;

    /**
     * Reads bytes of a file in blobs through the worker, at most {@code length}; empty when the worker does not find it
     * there.
     *
     * @param path by which the file was opened
     * @throws io.packing.bdt.DeniedException when this process may not read it
     * @throws io.packing.blob.CorruptBlobException when they were damaged on the way: another read may help
     */
    Optional<ByteBuffer> readStored(
            String address, String mount, FilePath path, FileVersion version, long offset, int length)
            throws IOException;

    /** Makes the worker seal, push and commit its files of the mount; returns when it has. */
    void flush(String address, String mount) throws IOException;
}
