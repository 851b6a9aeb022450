package io.packing.worker.api;

import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * Bytes on their way into files that are there: a file that no user sees. Once it is closed, one vector clones its bytes to
 * their places and deletes it, together with whatever else and under whatever preconditions its maker puts into the vector
 * (ANViL §5.3). {@link PackingFileSystem#writeAt} is for whoever wants no more than that. A scratch file that nobody deletes,
 * as after a crash, is deleted by the master after a day.
 */
public final class ScratchFile extends AtomicOutput {
    private final FilePath path;
    private final PackingOutput output;
    private long length;

    private ScratchFile(FilePath path, PackingOutput output) {
        super(path);
        this.path = path;
        this.output = output;
    }

    /** Starts one without bytes; the owner is a user's name, or empty. */
    public static ScratchFile create(PackingFileSystem mount, String owner) throws IOException {
        FilePath path = FilePath.SCRATCH.child(UUID.randomUUID().toString());
        return new ScratchFile(path, mount.create(path, new CreateOptions(owner, "", 0600, true, false)));
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

    /** How many bytes it has so far. */
    public long length() {
        return length;
    }

    /** Puts some of its bytes over those of a file, from an offset of that file on. */
    public Operation put(long offset, long count, FilePath destination, long at) {
        return new Operation.CloneRange(new ByteRange(path, offset, count), destination, at);
    }

    /** Deletes it, as the last operation of a vector. */
    public Operation delete() {
        return new Operation.Delete(path, false);
    }

    /** Puts all of its bytes over those of a file, from an offset of that file on, and deletes it. It must not be empty. */
    public List<Operation> putAll(FilePath destination, long at) {
        return List.of(put(0, length, destination, at), delete());
    }

    /** Deletes it after its vector was refused. That it is gone is right, too. */
    public void delete(Bdt bdt) throws IOException {
        VectorResult unused = bdt.apply(OperationVector.of(delete()));
    }
}
