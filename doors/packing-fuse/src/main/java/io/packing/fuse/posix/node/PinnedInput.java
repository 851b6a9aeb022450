// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.blob.FileAttributes;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An open file version with its bytes in memory: they can be read also after another client replaced the file.
 * Thread-safe.
 */
public final class PinnedInput implements PackingInput {
    private final FileAttributes attributes;
    private final ByteBuffer bytes;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    private PinnedInput(FileAttributes attributes, ByteBuffer bytes, Runnable onClose) {
        this.attributes = attributes;
        this.bytes = bytes;
        this.onClose = onClose;
    }

    /** Opens a version whose bytes are known. */
    static PinnedInput of(FileAttributes attributes, byte[] bytes) {
        return new PinnedInput(attributes, ByteBuffer.wrap(bytes), () -> {});
    }

    /**
     * Reads all bytes of a version.
     *
     * @param onClose runs at the first close
     * @throws java.io.FileNotFoundException if the version is gone
     */
    static PinnedInput read(PackingInput input, Runnable onClose) throws IOException {
        FileAttributes attributes = input.attributes();
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(attributes.length()));
        while (bytes.hasRemaining()) {
            if (input.read(bytes.position(), bytes) < 0) {
                throw new IOException("a file of %d bytes ends at %d".formatted(bytes.limit(), bytes.position()));
            }
        }
        return new PinnedInput(attributes, bytes.flip(), onClose);
    }

    @Override
    public FileAttributes attributes() {
        return attributes;
    }

    @Override
    public int read(long position, ByteBuffer into) {
        if (position >= bytes.limit()) {
            return -1;
        }
        int count = Math.min(into.remaining(), bytes.limit() - (int) position);
        into.put(bytes.slice((int) position, count));
        return count;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            onClose.run();
        }
    }
}
