package io.packing.worker.buffer;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Durability;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A large file on its way into the buffer. Holds one extent in memory. Confined to one thread. */
public final class LargeFileOutput {
    private final FileBuffer buffer;
    private final BufferSpace space;
    private final BufferConfig config;
    private final LargeFileWriter writer;
    private final ByteBuffer chunk = ByteBuffer.allocate(Extent.MAX_LENGTH);
    private long taken;

    LargeFileOutput(FileBuffer buffer, BufferSpace space, BufferConfig config, LargeFileWriter writer) {
        this.buffer = buffer;
        this.space = space;
        this.config = config;
        this.writer = writer;
    }

    /** Appends all remaining bytes; waits while the buffer has no room. */
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            int count = Math.min(bytes.remaining(), chunk.remaining());
            chunk.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            if (!chunk.hasRemaining()) {
                writeChunk();
            }
        }
    }

    public long length() {
        return writer.length() + chunk.position();
    }

    /** Completes and claims the file. */
    public CompletableFuture<ClaimResult> finish(
            long fileId, FilePath path, FileAttributes attributes, boolean createParents, boolean overwrite)
            throws IOException {
        if (chunk.position() > 0) {
            writeChunk();
        }
        LargeFile file = writer.finish(fileId, path, attributes, config.durability() != Durability.BUFFERED);
        // Each segment returns its own size when it goes.
        space.give(taken - writer.storedBytes());
        return buffer.addLarge(file, writer.segments(), new Claim(fileId, path, attributes, createParents, overwrite));
    }

    /** Gives the file up. */
    public void abort() throws IOException {
        writer.abort();
        space.give(taken);
    }

    private void writeChunk() throws IOException {
        space.take(chunk.position(), buffer::rotate);
        taken += chunk.position();
        writer.append(chunk.flip());
        chunk.clear();
    }
}
