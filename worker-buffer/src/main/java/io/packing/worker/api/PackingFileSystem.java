package io.packing.worker.api;

import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import java.io.IOException;

/**
 * One mount as a front door sees it: files are created and read here, the namespace is {@link #bdt()}. Thread-safe.
 */
public interface PackingFileSystem extends AutoCloseable {
    /** The mount's namespace. */
    Bdt bdt();

    /**
     * Starts a new file. It appears in the namespace, complete, when the output is closed.
     *
     * @throws java.nio.file.FileAlreadyExistsException when it exists and overwriting was not asked for (at close at the
     *     latest)
     * @throws BufferFullException when no worker's buffer has room (also from its writes and its close)
     */
    PackingOutput create(FilePath path, CreateOptions options) throws IOException;

    /** Opens a file for positioned reads; {@link java.io.FileNotFoundException} when there is none. */
    PackingInput open(FilePath path) throws IOException;

    /** Opens the version that was located, whatever is at its path by now. */
    PackingInput open(LocatedFile file) throws IOException;

    /**
     * Replaces bytes of a file that is there, from an offset on, all of them together when the output is closed
     * (redirect-on-write, ANViL §5.3): no reader sees, and no crash leaves, a part of them. The rest of the file keeps its
     * bytes, and clones of it keep theirs. The file grows when the bytes reach behind its end; a gap before them reads as zeros.
     * Whichever file is at the path at close is written: who minds other writers makes a {@link ScratchFile}, and a vector
     * with a precondition. Without a byte nothing changes.
     *
     * @throws IOException at close a {@link java.io.FileNotFoundException} when no file is there; in a snapshot, at once
     * @throws IllegalArgumentException when the offset is negative
     */
    default AtomicOutput writeAt(FilePath path, long offset) throws IOException {
        return new OffsetOutput(this, path, offset);
    }

    /**
     * Lets a file share the bytes of a range, if it has equal ones at an offset, as one step against concurrent writers
     * (clone on condition, ANViL §5.2). It stays the file that it is, with its owner, group, mode and time. Reads both.
     *
     * @param at offset in the destination, which has at least as many bytes from there on
     * @return whether the bytes are equal, and shared now
     * @throws java.io.FileNotFoundException when one of the files is not there
     * @throws java.io.EOFException when a range ends behind the end of its file
     * @throws io.packing.bdt.UnavailableException when one of them changed each time that they were compared
     */
    default boolean cloneIfEqual(ByteRange source, FilePath destination, long at) throws IOException {
        return new EqualBytes(source, new ByteRange(destination, at, source.length())).share(this);
    }

    /**
     * Seals and pushes what every live worker of the mount buffers now; returns when it is durable and committed. A mount
     * that buffers nothing itself fails when a worker that is not alive holds files.
     */
    void flush() throws IOException;

    @Override
    void close() throws IOException;
}
