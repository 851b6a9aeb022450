// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.durable.DurableDirectory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;

/**
 * An object store in a directory of a local or network file system.
 *
 * <p>A put writes and syncs a temporary file, gives it its name atomically and syncs the directory: after it returns, the
 * object survives a power cut. A key and the same key followed by {@code /...} cannot exist together.
 */
public final class LocalObjectStore implements ObjectStore {
    private static final int CHECK_BYTES = 256 << 10;

    private final LocalRoot root;
    private final LocalPaths paths;
    private final Path temporary;
    /** The directories whose own name is known to survive a power cut. */
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean swept = new AtomicBoolean();

    private LocalObjectStore(LocalRoot root) {
        this.root = root;
        this.paths = new LocalPaths(root.path());
        this.temporary = root.path().resolve(LocalPaths.TEMPORARY);
    }

    /**
     * Opens an existing directory, without a write to it.
     *
     * @throws MissingStoreException when it does not exist
     */
    public static LocalObjectStore open(Path directory) throws IOException {
        LocalRoot root = LocalRoot.open(directory.toAbsolutePath().normalize());
        if (!Files.isWritable(directory)) {
            throw new IOException(
                    "packing.store: directory %s cannot be written; check its permissions".formatted(directory));
        }
        return new LocalObjectStore(root);
    }

    @Override
    public String location() {
        return "file://" + root.path();
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        try (FileChannel source = FileChannel.open(file, StandardOpenOption.READ)) {
            put(key, condition, target -> {
                copy(source, target);
                if (crc32c.isPresent()) {
                    Checksums.check(file, crc32c, crc32c(target));
                }
            });
        }
    }

    private static int crc32c(FileChannel channel) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHECK_BYTES);
        for (long at = 0; channel.read(buffer, at) > 0; buffer.clear()) {
            at += buffer.position();
            crc.update(buffer.flip());
        }
        return (int) crc.getValue();
    }

    private static void copy(FileChannel source, FileChannel target) throws IOException {
        long size = source.size();
        long done = 0;
        while (done < size) {
            long copied = source.transferTo(done, size - done, target);
            if (copied == 0) {
                throw new IOException("the source file shrank from %d to %d bytes".formatted(size, done));
            }
            done += copied;
        }
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        ByteBuffer source = bytes.duplicate();
        put(key, condition, target -> {
            while (source.hasRemaining()) {
                target.write(source);
            }
        });
    }

    @Override
    public boolean takesStream(long length) {
        return true;
    }

    @Override
    public void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        put(key, condition, target -> {
            byte[] window = new byte[CHECK_BYTES];
            for (long left = body.length(); left > 0; ) {
                int count = body.bytes().read(window, 0, (int) Math.min(window.length, left));
                if (count < 0) {
                    throw new EOFException("the stream ended %,d bytes early".formatted(left));
                }
                ByteBuffer bytes = ByteBuffer.wrap(window, 0, count);
                while (bytes.hasRemaining()) {
                    target.write(bytes);
                }
                left -= count;
            }
            body.checkEnd();
        });
    }

    private interface Content {
        void writeTo(FileChannel target) throws IOException;
    }

    private void put(String key, PutCondition condition, Content content) throws IOException {
        Path target = paths.file(key);
        root.check();
        makeTemporary();
        Path written = temporary.resolve(UUID.randomUUID().toString());
        try {
            try (FileChannel channel = FileChannel.open(
                    written, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                if (swept.compareAndSet(false, true)) {
                    LocalLeftovers.delete(written);
                }
                content.writeTo(channel);
                channel.force(true);
            }
            Path parent = target.getParent();
            if (parent != null) {
                createDirectories(key, parent);
                publish(key, written, target, condition);
                DurableDirectory.sync(parent);
            }
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** Makes the directory of temporary files, but never the root, which would be another store. */
    private void makeTemporary() throws IOException {
        try {
            Path unused = Files.createDirectory(temporary);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(temporary)) {
                throw e;
            }
        } catch (NoSuchFileException e) {
            root.check();
            throw e;
        }
    }

    private void publish(String key, Path written, Path target, PutCondition condition) throws IOException {
        try {
            if (condition == PutCondition.IF_ABSENT) {
                // A hard link never replaces: the file system decides between two writers.
                Files.createLink(target, written);
            } else {
                Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (FileAlreadyExistsException e) {
            throw new PreconditionFailedException("%s/%s already exists".formatted(location(), key), e);
        } catch (UnsupportedOperationException | AtomicMoveNotSupportedException e) {
            throw new IOException(
                    "%s: its file system lacks hard links or atomic renames; use another one for packing.store"
                            .formatted(root.path()),
                    e);
        } catch (FileSystemException e) {
            throw Files.isDirectory(target) ? prefixOfAnother(key, e) : e;
        }
    }

    private static IOException prefixOfAnother(String key, Exception cause) {
        return new IOException(
                "object %s and objects below %s/ cannot exist together in a local directory".formatted(key, key),
                cause);
    }

    private void createDirectories(String key, Path directory) throws IOException {
        if (durable.contains(directory)) {
            return;
        }
        try {
            Files.createDirectories(directory);
        } catch (FileSystemException e) {
            throw prefixOfAnother(key, e);
        }
        // Each new name has to be durable in its parent; the sync up to the root covers them all.
        for (Path path = directory; path != null && path.startsWith(root.path()); path = path.getParent()) {
            DurableDirectory.sync(path);
        }
        durable.add(directory);
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        RangeChecks.check(offset, length);
        try (FileChannel channel = openObject(key)) {
            RangeChecks.checkInside(key, offset, length, channel.size());
            return RangeChecks.read(channel, key, offset, length);
        }
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        RangeChecks.check(0, length);
        try (FileChannel channel = openObject(key)) {
            int tail = (int) Math.min(channel.size(), length);
            return RangeChecks.read(channel, key, channel.size() - tail, tail);
        }
    }

    @Override
    public void download(String key, Path file) throws IOException {
        try (FileChannel source = openObject(key)) {
            Downloads.into(file, target -> copy(source, target));
        }
    }

    private FileChannel openObject(String key) throws IOException {
        Path file = paths.file(key);
        if (Files.isDirectory(file)) {
            throw notFound(key, new NoSuchFileException(file.toString()));
        }
        try {
            return FileChannel.open(file, StandardOpenOption.READ);
        } catch (FileSystemException e) {
            throw e instanceof NoSuchFileException || LocalListing.isNotADirectory(e) ? notFound(key, e) : e;
        }
    }

    private ObjectNotFoundException notFound(String key, Exception cause) throws IOException {
        root.check();
        return new ObjectNotFoundException("no object %s in %s".formatted(key, location()), cause);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        Optional<ObjectInfo> info = LocalListing.info(key, paths.file(key));
        if (info.isEmpty()) {
            root.check();
        }
        return info;
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        RangeChecks.checkLimit(limit);
        root.check();
        return LocalListing.list(root.path(), prefix, startAfter, limit);
    }

    @Override
    public boolean takesCopies(ObjectStore from, long length) {
        return from instanceof LocalObjectStore;
    }

    @Override
    public void copy(ObjectStore from, ObjectInfo object) throws IOException {
        if (!(from instanceof LocalObjectStore other)) {
            throw new IOException("%s takes no copies of objects in %s".formatted(location(), from.location()));
        }
        try (FileChannel source = other.openObject(object.key())) {
            put(object.key(), PutCondition.NONE, target -> copy(source, target));
        }
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        root.check();
        Set<Path> touched = new LinkedHashSet<>();
        for (String key : keys) {
            Path file = paths.file(key);
            Path parent = file.getParent();
            if (parent != null && LocalListing.info(key, file).isPresent() && Files.deleteIfExists(file)) {
                touched.add(parent);
            }
        }
        for (Path parent : touched) {
            DurableDirectory.sync(parent);
        }
    }

    @Override
    public void close() {}
}
