// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** An open file or directory of a {@link PowerDisk}. */
final class DiskChannel extends FileChannel {
    private final PowerDisk disk;
    private final DiskNode node;
    private long position;

    DiskChannel(PowerDisk disk, DiskNode node) {
        this.disk = disk;
        this.node = node;
    }

    private FileNode file() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (node instanceof FileNode file) {
            return file;
        }
        throw new IOException("Is a directory");
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = read(into, position);
        position += Math.max(0, count);
        return count;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return read(into[offset]);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int count = write(from, position);
        position += count;
        return count;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += write(from[i]);
        }
        return count;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long to) {
        position = to;
        return this;
    }

    @Override
    public long size() throws IOException {
        synchronized (disk) {
            return file().length();
        }
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        synchronized (disk) {
            file().truncate(size);
            position = Math.min(position, size);
            return this;
        }
    }

    @Override
    public void force(boolean metaData) throws IOException {
        disk.force(node);
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Math.min(count, Math.max(0, size() - from))));
        return read(bytes, from) <= 0 ? 0 : target.write(bytes.flip());
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(count));
        return source.read(bytes) <= 0 ? 0 : write(bytes.flip(), to);
    }

    @Override
    public int read(ByteBuffer into, long from) throws IOException {
        synchronized (disk) {
            byte[] bytes = new byte[into.remaining()];
            int count = file().read(from, bytes);
            into.put(bytes, 0, Math.max(0, count));
            return count;
        }
    }

    @Override
    public int write(ByteBuffer from, long at) throws IOException {
        synchronized (disk) {
            byte[] bytes = new byte[from.remaining()];
            from.get(bytes);
            file().write(at, bytes);
            return bytes.length;
        }
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException("a disk in memory cannot be mapped into it");
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) {
        return tryLock(from, size, shared);
    }

    @Override
    public FileLock tryLock(long from, long size, boolean shared) {
        return new FileLock(this, from, size, shared) {
            @Override
            public boolean isValid() {
                return isOpen();
            }

            @Override
            public void release() {
                // The disk has no other user.
            }
        };
    }

    @Override
    protected void implCloseChannel() {
        // The node stays.
    }
}
