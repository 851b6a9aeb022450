// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.AppendTarget;
import io.packing.bdt.BdtChanges;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A file that no user sees, with bytes on their way into existing files. After its close, one vector clones its bytes
 * to their places and deletes it. The client may add other operations and preconditions to the vector (ANViL §5.3).
 * {@link PackingFileSystem#writeAt} does this without any. The master deletes a left scratch file, as after a crash,
 * when it is a day old.
 */
public final class ScratchFile extends AtomicOutput {
    private final FilePath path;
    private final PackingOutput output;
    private final Optional<AppendTarget> target;
    private long length;

    private ScratchFile(FilePath path, PackingOutput output, Optional<AppendTarget> target) {
        super(path);
        this.path = path;
        this.output = output;
        this.target = target;
    }

    /**
     * Creates an empty scratch file.
     *
     * @param owner a user's name, or empty
     * @param target the file that gets the bytes: they are as durable as it is
     */
    public static ScratchFile create(PackingFileSystem mount, String owner, FilePath target) throws IOException {
        return create(mount, owner, target, Optional.empty());
    }

    /**
     * Creates an empty scratch file whose close appends its bytes to a file, if that does not wait for the store. The close fails with a
     * {@link ChangedFileException} when that file has another version.
     *
     * @param owner a user's name, or empty
     */
    public static ScratchFile appending(PackingFileSystem mount, String owner, AppendTarget target) throws IOException {
        return create(mount, owner, target.path(), Optional.of(target).filter(to -> !mount.isUploaded(to.path())));
    }

    private static ScratchFile create(
            PackingFileSystem mount, String owner, FilePath target, Optional<AppendTarget> append) throws IOException {
        FilePath path = FilePath.SCRATCH.child(UUID.randomUUID().toString());
        CreateOptions options = new CreateOptions(owner, "", 0600, true, false);
        CreateOptions kept = mount.isUploaded(target) ? options.asUploaded() : options;
        return new ScratchFile(
                path, mount.create(path, append.map(kept::appending).orElse(kept)), append);
    }

    /** Returns the version of the file to which the close appended the bytes; empty: the scratch file has them still. */
    public Optional<FileVersion> appended() {
        return target.map(to -> output.version())
                .filter(version ->
                        version.id() == target.orElseThrow().version().id());
    }

    @Override
    protected void append(byte[] from, int offset, int count) throws IOException {
        output.write(from, offset, count);
        length += count;
    }

    @Override
    protected void complete() throws IOException {
        output.close();
    }

    @Override
    protected void discard() {
        output.abort();
    }

    /** Returns the bytes written so far. */
    public long length() {
        return length;
    }

    /** Returns an operation that puts some of its bytes over those of a file, from an offset of that file on. */
    public Operation put(long offset, long count, FilePath destination, long at) {
        return new Operation.CloneRange(new ByteRange(path, offset, count), destination, at);
    }

    /** Returns the operation that deletes it, the last one of a vector. */
    public Operation delete() {
        return new Operation.Delete(path, false);
    }

    /**
     * Returns operations that put all its bytes over those of a file, from an offset of that file on, and delete it. It
     * must not be empty.
     */
    public List<Operation> putAll(FilePath destination, long at) {
        return List.of(put(0, length, destination, at), delete());
    }

    /** Deletes it after the master refused its vector. A file that is gone already is no error. */
    public void delete(BdtChanges bdt) throws IOException {
        VectorResult unused = bdt.apply(OperationVector.of(delete()));
    }
}
