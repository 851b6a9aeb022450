// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoField;

/** The answer to one request, written into a buffer that is used again for the next one. Confined to one thread. */
final class Reply {
    /** {@code struct fuse_out_header}: length, error, unique. */
    static final int HEADER = 16;

    static final int ENTRY = 128;
    private static final int ENTRY_PADDING = 16;

    private final ByteBuffer buffer;

    /** @param buffer in the machine's byte order */
    Reply(ByteBuffer buffer) {
        this.buffer = buffer;
        clear();
    }

    /** Forgets the written bytes. */
    void clear() {
        buffer.clear().position(HEADER);
    }

    /** Returns the buffer at the next byte of the body; the caller's writes move its position. */
    ByteBuffer body() {
        return buffer;
    }

    /** Returns the whole message. */
    ByteBuffer finish(long unique) {
        int length = buffer.position();
        buffer.putInt(0, length).putInt(4, 0).putLong(8, unique);
        return buffer.flip();
    }

    /** Returns the message with the number of an error. */
    ByteBuffer fail(long unique, Errno errno) {
        clear();
        buffer.putInt(0, HEADER).putInt(4, -errno.number()).putLong(8, unique);
        return buffer.flip();
    }

    Reply int32(int value) {
        buffer.putInt(value);
        return this;
    }

    Reply int16(int value) {
        buffer.putShort((short) value);
        return this;
    }

    Reply int64(long value) {
        buffer.putLong(value);
        return this;
    }

    Reply zeros(int bytes) {
        for (int i = 0; i < bytes; i++) {
            buffer.put((byte) 0);
        }
        return this;
    }

    Reply bytes(byte[] bytes) {
        buffer.put(bytes);
        return this;
    }

    /** Writes {@code struct fuse_entry_out}. */
    Reply entry(Entry entry) {
        return int64(entry.node())
                .int64(entry.generation())
                .int64(seconds(entry.nameValid()))
                .int64(seconds(entry.attributesValid()))
                .int32(entry.nameValid().toNanosPart())
                .int32(entry.attributesValid().toNanosPart())
                .attributes(entry.attributes());
    }

    /** Writes {@code struct fuse_attr_out}. */
    Reply attributes(NodeAttributes node) {
        return int64(seconds(node.valid()))
                .int32(node.valid().toNanosPart())
                .int32(0)
                .attributes(node.attributes());
    }

    /** Writes {@code struct fuse_attr}. */
    private Reply attributes(Attributes of) {
        return int64(of.inode())
                .int64(of.size())
                .int64(of.blocks())
                .int64(of.accessed().getEpochSecond())
                .int64(of.modified().getEpochSecond())
                .int64(of.changed().getEpochSecond())
                .int32(nanos(of.accessed()))
                .int32(nanos(of.modified()))
                .int32(nanos(of.changed()))
                .int32(of.mode())
                .int32(of.links())
                .int32(of.user())
                .int32(of.group())
                .int32(of.device())
                .int32(of.blockSize())
                .int32(0);
    }

    /** Writes {@code struct fuse_open_out}. */
    Reply opened(Opened opened) {
        return int64(opened.handle()).int32(opened.flags()).int32(0);
    }

    /** Writes {@code struct fuse_statfs_out}. */
    Reply space(Space space) {
        return int64(space.blocks())
                .int64(space.free())
                .int64(space.free())
                .int64(space.files())
                .int64(space.freeFiles())
                .int32(space.blockSize())
                .int32(space.nameLength())
                .int32(space.blockSize())
                .zeros(28);
    }

    private static long seconds(Duration duration) {
        return Math.max(0, duration.toSeconds());
    }

    private static int nanos(Instant time) {
        return time.get(ChronoField.NANO_OF_SECOND);
    }

    /** Returns the room of the body for entries of a directory, at most as much as asked. */
    DirectoryPage page(boolean nodes, int bytes) {
        return new DirectoryPage(nodes, Math.min(bytes, buffer.remaining() - ENTRY_PADDING));
    }

    /** {@code struct fuse_dirent} and {@code struct fuse_direntplus}, each padded to eight bytes. */
    final class DirectoryPage implements DirectoryEntries {
        private static final int DIRENT = 24;

        private final boolean nodes;
        private final int start = buffer.position();
        private final int most;

        private DirectoryPage(boolean nodes, int most) {
            this.nodes = nodes;
            this.most = most;
        }

        @Override
        public boolean wantsNodes() {
            return nodes;
        }

        @Override
        public boolean fits(String name) {
            int bytes = (nodes ? ENTRY : 0) + DIRENT + name.getBytes(StandardCharsets.UTF_8).length;
            return buffer.position() - start + padded(bytes) <= most;
        }

        @Override
        public void add(String name, long inode, int mode, long next) {
            if (nodes) {
                zeros(ENTRY);
            }
            dirent(name, inode, mode, next);
        }

        @Override
        public void add(String name, Entry entry, long next) {
            entry(entry);
            dirent(name, entry.attributes().inode(), entry.attributes().mode(), next);
        }

        private void dirent(String name, long inode, int mode, long next) {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            int64(inode).int64(next).int32(text.length).int32(Mode.entryType(mode));
            bytes(text).zeros(padded(text.length) - text.length);
        }

        private static int padded(int bytes) {
            return (bytes + 7) & ~7;
        }
    }
}
