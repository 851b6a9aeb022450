package io.packing.worker.read;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Other workers, as a reader and a flush need them. */
public interface Peers {
    /**
     * Bytes of a file that the worker buffers, at most {@code length}; empty when it does not buffer it any more.
     *
     * @param path by which the file was opened
     * @throws io.packing.bdt.DeniedException when this process may not read it
     * @throws io.packing.blob.CorruptBlobException when they were damaged on the way: reading them again may help
     */
    Optional<ByteBuffer> read(String address, String mount, FilePath path, FileVersion version, long offset, int length)
            throws IOException;

    /**
     * Bytes of a file that is in blobs, which the worker reads from the store, at most {@code length}; empty when it does not find it there.
     *
     * @param path by which the file was opened
     * @throws io.packing.bdt.DeniedException when this process may not read it
     * @throws io.packing.blob.CorruptBlobException when they were damaged on the way: reading them again may help
     */
    Optional<ByteBuffer> readStored(
            String address, String mount, FilePath path, FileVersion version, long offset, int length)
            throws IOException;

    /** Makes the worker seal, push and commit what it buffers of the mount; returns when it has. */
    void flush(String address, String mount) throws IOException;
}
