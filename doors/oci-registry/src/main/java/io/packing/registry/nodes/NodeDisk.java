// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.durable.DirectoryLock;
import io.packing.durable.OwnerOnly;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A directory of files that get their names when their bytes are on the disk, and how many bytes these are. Thread-safe. */
final class NodeDisk implements AutoCloseable {
    private static final int BUFFER = 256 << 10;
    private static final long TOUCH_MILLIS = 60_000;

    private final Path directory;
    private final long capacity;
    private final DirectoryLock lock;
    private final LongSupplier millis;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong scratches = new AtomicLong();

    private NodeDisk(Path directory, long capacity, DirectoryLock lock, LongSupplier millis) {
        this.millis = millis;
        this.directory = directory;
        this.capacity = capacity;
        this.lock = lock;
    }

    /**
     * Takes a directory, which is made if it is not there.
     *
     * @param millis the time, milliseconds since the epoch
     */
    static NodeDisk open(Path directory, long capacity, LongSupplier millis) throws IOException {
        Path unused = OwnerOnly.directory(directory);
        NodeDisk disk = new NodeDisk(directory, capacity, DirectoryLock.acquire(directory, "node.lock"), millis);
        try {
            Files.createDirectories(disk.folder("incoming"));
            // Files that did not get their names.
            for (Path each : disk.below("incoming")) {
                Files.delete(each);
            }
            for (Path each : disk.below("")) {
                disk.bytes.addAndGet(each.toFile().length());
            }
            return disk;
        } catch (IOException | RuntimeException e) {
            disk.close();
            throw e;
        }
    }

    long bytes() {
        return bytes.get();
    }

    Path folder(String name) {
        return directory.resolve(name);
    }

    /** Returns a path that no file has. */
    Path scratch() {
        return folder("incoming").resolve(Long.toString(scratches.incrementAndGet()));
    }

    /** Returns all files below a folder. */
    List<Path> below(String name) throws IOException {
        if (!Files.exists(folder(name))) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder(name))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /** Refuses so many bytes when they do not fit. */
    void checkRoom(long length) throws NodeRefusedException {
        if (length > capacity - bytes.get()) {
            throw new NodeRefusedException("the node has %,d bytes, and may have %,d: no room for %,d more"
                    .formatted(bytes.get(), capacity, length));
        }
    }

    /** Writes so many bytes to a file, and to the disk; returns the hasher that has seen them. */
    MessageDigest receive(InputStream from, long length, Path to, MessageDigest hasher) throws IOException {
        checkRoom(length);
        byte[] buffer = new byte[(int) Math.min(BUFFER, Math.max(1, length))];
        try (FileChannel out = OwnerOnly.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long left = length; left > 0; ) {
                int n = from.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (n < 0) {
                    throw new EOFException("%,d of %,d bytes did not come".formatted(left, length));
                }
                hasher.update(buffer, 0, n);
                write(out, ByteBuffer.wrap(buffer, 0, n));
                left -= n;
            }
            out.force(false);
        }
        return hasher;
    }

    private static void write(FileChannel out, ByteBuffer buffer) throws IOException {
        try {
            while (buffer.hasRemaining()) {
                int unused = out.write(buffer);
            }
        } catch (IOException e) {
            throw new NodeRefusedException("the node cannot write: " + e.getMessage());
        }
    }

    void place(Path scratch, Path to, long length) throws IOException {
        Files.move(scratch, to, StandardCopyOption.ATOMIC_MOVE);
        bytes.addAndGet(length);
    }

    void delete(Path file) throws IOException {
        long length = file.toFile().length();
        if (Files.deleteIfExists(file)) {
            bytes.addAndGet(-length);
        }
    }

    static void hash(Path file, MessageDigest hasher) throws IOException {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                hasher.update(buffer, 0, n);
            }
        }
    }

    /** Files below a folder that were written, or touched, so long ago. */
    List<Path> olderThan(String name, Duration age) throws IOException {
        long before = millis.getAsLong() - age.toMillis();
        return below(name).stream()
                .filter(each -> each.toFile().lastModified() < before)
                .toList();
    }

    /** Makes a file as old as one that was just written, unless it was touched lately. */
    void touch(Path file) throws IOException {
        long now = millis.getAsLong();
        if (file.toFile().lastModified() < now - TOUCH_MILLIS) {
            try {
                Path unused = Files.setLastModifiedTime(file, FileTime.fromMillis(now));
            } catch (NoSuchFileException e) {
                // It was deleted just now.
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
