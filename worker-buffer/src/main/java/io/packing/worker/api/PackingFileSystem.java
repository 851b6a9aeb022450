// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import java.io.IOException;

/**
 * One mount for a front door, which creates and reads files here and reads the namespace by {@link #bdt()}.
 * Thread-safe.
 */
public interface PackingFileSystem extends AutoCloseable {
    /** Returns the mount's namespace. */
    Bdt bdt();

    /**
     * Starts a new file. It appears in the namespace, complete, when the output is closed.
     *
     * @throws java.nio.file.FileAlreadyExistsException when the file exists and the options do not overwrite it (at
     *     close at the latest)
     * @throws BufferFullException when no worker's buffer has room (also from its writes and its close)
     */
    PackingOutput create(FilePath path, CreateOptions options) throws IOException;

    /** Returns whether a closed file at a path survives the loss of the machine that wrote it, without a client's asking for that. */
    boolean isUploaded(FilePath path);

    /**
     * Opens a file for positioned reads.
     *
     * @throws java.io.FileNotFoundException when the file does not exist
     */
    PackingInput open(FilePath path) throws IOException;

    /** Opens the located version, even if its path has another one by now. */
    PackingInput open(LocatedFile file) throws IOException;

    /**
     * Replaces bytes of an existing file from an offset on, all together when the output is closed (redirect-on-write,
     * ANViL §5.3). No reader sees a part of them, and no crash leaves one. The rest of the file keeps its bytes, and
     * clones of it keep theirs. The file grows when the bytes reach behind its end; a gap before them reads as zeros.
     * It writes the file that is at the path at close. A client that minds other writers uses a {@link ScratchFile},
     * and a vector with a precondition. Without a byte the file stays as it is.
     *
     * @throws IOException at close a {@link java.io.FileNotFoundException} when no file is there; in a snapshot, at
     *     once
     * @throws IllegalArgumentException when the offset is negative
     */
    default AtomicOutput writeAt(FilePath path, long offset) throws IOException {
        return new OffsetOutput(this, path, offset);
    }

    /**
     * Lets a file share the bytes of a range if it has equal ones at an offset, as one step against concurrent writers
     * (clone on condition, ANViL §5.2). The file keeps its version, owner, group, mode and time. It reads both ranges.
     *
     * @param at offset in the destination, which has at least as many bytes from there on
     * @return whether the bytes are equal, and shared now
     * @throws java.io.FileNotFoundException when one of the files is not there
     * @throws java.io.EOFException when a range ends behind the end of its file
     * @throws io.packing.bdt.UnavailableException when one of them changed during each comparison
     */
    default boolean cloneIfEqual(ByteRange source, FilePath destination, long at) throws IOException {
        return new EqualBytes(source, new ByteRange(destination, at, source.length())).share(this);
    }

    /**
     * Seals and pushes the files that all live workers of the mount buffer now; returns when these are durable and
     * committed. A mount without a buffer fails when a dead worker holds files.
     */
    void flush() throws IOException;

    @Override
    void close() throws IOException;
}
