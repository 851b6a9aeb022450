// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.durable.DurableDirectory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The bytes of a segment in a file, which its footer makes a blob. */
final class FileSegmentBytes implements SegmentBytes {
    private final Path path;
    private final FileChannel channel;
    private final SegmentFiles files;
    private final Optional<ByteBuffer> gather;
    private final boolean fromBefore;
    private long gatheredAt;
    private boolean nameIsStable;
    private volatile boolean deleted;

    /**
     * @param files takes the file in the end
     * @param gather collects records for one write; empty for records that are large themselves
     * @param fromBefore true for a file of an earlier process
     */
    FileSegmentBytes(
            Path path, FileChannel channel, SegmentFiles files, Optional<ByteBuffer> gather, boolean fromBefore) {
        this.path = path;
        this.channel = channel;
        this.files = files;
        this.gather = gather;
        this.fromBefore = fromBefore;
    }

    @Override
    public void write(long at, ByteBuffer header, ByteBuffer stored) throws IOException {
        // A direct buffer is written as it is: nothing copies its bytes once more.
        if (gather.isEmpty()
                || stored.isDirect()
                || header.remaining() + stored.remaining() > gather.get().capacity()) {
            flush();
            put(put(at, header.duplicate()), stored.duplicate());
            return;
        }
        ByteBuffer into = gather.get();
        if (into.remaining() < header.remaining() + stored.remaining()) {
            flush();
        }
        if (into.position() == 0) {
            gatheredAt = at;
        }
        into.put(header.duplicate()).put(stored.duplicate());
    }

    private void flush() throws IOException {
        if (gather.isPresent() && gather.get().position() > 0) {
            ByteBuffer bytes = gather.get().flip();
            try {
                put(gatheredAt, bytes);
            } finally {
                bytes.clear();
            }
        }
    }

    private long put(long at, ByteBuffer bytes) throws IOException {
        long to = at;
        while (bytes.hasRemaining()) {
            to += channel.write(bytes, to);
        }
        return to;
    }

    @Override
    public void commit(boolean sync) throws IOException {
        flush();
        if (sync) {
            channel.force(false);
            syncName();
        }
    }

    /** Syncs the directory once, with the first synced records. */
    private void syncName() throws IOException {
        Path directory = path.getParent();
        if (!nameIsStable && directory != null) {
            DurableDirectory.sync(directory);
        }
        nameIsStable = true;
    }

    @Override
    public void discard() {
        gather.ifPresent(ByteBuffer::clear);
    }

    @Override
    public ByteBuffer read(long at, int length) throws IOException {
        return read(channel, at, length);
    }

    @Override
    public void read(long at, ByteBuffer into) throws IOException {
        read(channel, at, into);
    }

    private ByteBuffer read(FileChannel from, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        read(from, at, bytes);
        return bytes.flip();
    }

    private void read(FileChannel from, long at, ByteBuffer into) throws IOException {
        long next = at;
        while (into.hasRemaining()) {
            int count = from.read(into, next);
            if (count < 0) {
                throw new EOFException(path + " is shorter than its index says");
            }
            next += count;
        }
    }

    @Override
    public ByteBuffer readAlone(long at, int length) throws IOException {
        // Use a channel of its own: an interrupted reader closes it, and must not close the buffer's.
        try (FileChannel own = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer bytes = read(own, at, length);
            if (deleted) {
                // A new segment may have written over the file during the read.
                throw new NoSuchFileException(path.toString());
            }
            return bytes;
        } catch (EOFException e) {
            throw deleted ? new NoSuchFileException(path.toString()) : e;
        }
    }

    @Override
    public Optional<SegmentFile> file() {
        return Optional.of(new SegmentFile(path, channel));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void delete() throws IOException {
        deleted = true;
        channel.close();
        if (fromBefore) {
            // A loss of power may have left it a second name, of another segment: no later segment may write over it.
            Files.deleteIfExists(path);
        } else {
            files.retire(path);
        }
    }
}
