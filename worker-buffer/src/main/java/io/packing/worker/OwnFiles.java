// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.blob.ExtentCodec;
import io.packing.blob.FileVersion;
import io.packing.buffers.Slices;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.read.LocatedInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/** The bytes of the files that this process buffers, for readers here and at peers. */
record OwnFiles(FileBuffer buffer) implements LocatedInput.OwnBuffer {
    @Override
    public Optional<ByteBuffer> read(FileVersion version, long offset, int length) throws IOException {
        Optional<BufferedFile> file = buffer.find(version.id());
        if (file.isEmpty()) {
            return Optional.empty();
        }
        if (!file.get().appended().isDone()) {
            // A claim follows its bytes, so the master cannot have sent a reader here for this file.
            return Optional.empty();
        }
        Optional<List<BufferedFile.Part>> parts = buffer.parts(file.get());
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        for (BufferedFile.Part part : parts.get()) {
            if (part.extent().fileOffset() <= offset && offset < part.extent().fileEnd()) {
                return read(part, (int) (offset - part.extent().fileOffset()), length);
            }
        }
        if (offset >= file.get().attributes().length()) {
            return Optional.of(ByteBuffer.allocate(0));
        }
        throw new IOException("file %s has no bytes at %d in the buffer".formatted(version, offset));
    }

    private static Optional<ByteBuffer> read(BufferedFile.Part part, int skip, int length) throws IOException {
        ByteBuffer stored;
        try {
            stored = part.segment().readAlone(part.extent());
        } catch (NoSuchFileException | ClosedChannelException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional.empty();
        }
        ByteBuffer bytes = ExtentCodec.decode(part.segment().toString(), part.extent(), stored);
        return Optional.of(Slices.of(bytes, bytes.position() + skip, Math.min(length, bytes.remaining() - skip)));
    }
}
