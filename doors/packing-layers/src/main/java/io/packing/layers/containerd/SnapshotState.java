// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.durable.DirectoryLock;
import io.packing.durable.DurableDirectory;
import io.packing.durable.DurableFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots of a machine, a directory {@code snapshots/ID} each. Its file {@code snapshot.json} comes into being by a synced rename
 * after all else, and goes before all else: a directory without it is garbage. Thread-safe.
 */
final class SnapshotState implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotState.class);
    private static final String RECORD = "snapshot.json";
    private static final String UPPER = "upper";
    private static final String WORK = "work";

    private final Path snapshots;
    private final Path empty;
    private final DirectoryLock lock;
    private final Map<String, KeptSnapshot> byKey = new HashMap<>();
    /** Directories that are being made, or have a record. */
    private final Set<Long> taken = new HashSet<>();

    private long last;

    private SnapshotState(Path snapshots, Path empty, DirectoryLock lock) {
        this.snapshots = snapshots;
        this.empty = empty;
        this.lock = lock;
    }

    /** Reads all snapshots below a directory, which is made for this process's user alone if it is missing. */
    static SnapshotState open(Path state) throws IOException {
        DurableDirectory.create(state);
        DirectoryLock lock = DirectoryLock.acquire(state, "lock");
        try {
            SnapshotState opened = new SnapshotState(
                    DurableDirectory.create(state.resolve("snapshots")),
                    DurableDirectory.create(state.resolve("empty")),
                    lock);
            opened.load();
            return opened;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private synchronized void load() throws IOException {
        for (long id : ids()) {
            last = Math.max(last, id);
            Path record = directory(id).resolve(RECORD);
            if (Files.exists(record)) {
                KeptSnapshot snapshot = SnapshotJson.decode(id, Files.readString(record));
                KeptSnapshot other = byKey.put(snapshot.key(), snapshot);
                if (other != null) {
                    throw new IOException(
                            "the directories %d and %d of %s have the snapshot %s both: move one of them away"
                                    .formatted(other.id(), id, snapshots, snapshot.key()));
                }
                taken.add(id);
            }
        }
    }

    private List<Long> ids() throws IOException {
        List<Long> ids = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(snapshots)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (name.matches("[1-9][0-9]{0,17}")) {
                    ids.add(Long.parseLong(name));
                }
            }
        }
        return ids;
    }

    private Path directory(long id) {
        return snapshots.resolve(Long.toString(id));
    }

    /** Returns the directory of the own files of a snapshot. */
    Path upper(KeptSnapshot snapshot) {
        return directory(snapshot.id()).resolve(UPPER);
    }

    /** Returns the directory that overlayfs needs beside that of the files. */
    Path work(KeptSnapshot snapshot) {
        return directory(snapshot.id()).resolve(WORK);
    }

    /** Returns a directory without entries. */
    Path empty() {
        return empty;
    }

    synchronized Optional<KeptSnapshot> find(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** Returns all snapshots, in the order in which they were made. */
    synchronized List<KeptSnapshot> all() {
        return byKey.values().stream()
                .sorted((a, b) -> Long.compare(a.id(), b.id()))
                .toList();
    }

    private void checkParent(String parent) throws SnapshotRefusal {
        if (parent.isEmpty()) {
            return;
        }
        KeptSnapshot below = byKey.get(parent);
        if (below == null) {
            throw SnapshotRefusal.missing(parent);
        }
        if (below.kind() != SnapshotKind.COMMITTED) {
            throw new SnapshotRefusal(
                    SnapshotRefusal.Reason.INVALID_ARGUMENT, "parent %.300s is not committed".formatted(parent));
        }
    }

    /**
     * Adds a snapshot with its directories.
     *
     * @param of makes it of its id
     */
    synchronized KeptSnapshot add(LongFunction<KeptSnapshot> of) throws IOException {
        KeptSnapshot snapshot = of.apply(last + 1);
        if (byKey.containsKey(snapshot.key())) {
            throw SnapshotRefusal.exists(snapshot.key());
        }
        checkParent(snapshot.parent());
        last++;
        taken.add(snapshot.id());
        try {
            Path directory = DurableDirectory.create(directory(snapshot.id()));
            if (snapshot.chain().isEmpty()) {
                // The root of a container shows the mode of its upper directory.
                Path upper = Files.createDirectory(directory.resolve(UPPER));
                Files.setPosixFilePermissions(upper, PosixFilePermissions.fromString("rwxr-xr-x"));
                Path unused = Files.createDirectory(directory.resolve(WORK));
            }
            write(snapshot);
        } catch (IOException | RuntimeException e) {
            taken.remove(snapshot.id());
            throw e;
        }
        byKey.put(snapshot.key(), snapshot);
        return snapshot;
    }

    private void write(KeptSnapshot snapshot) throws IOException {
        DurableFile.write(directory(snapshot.id()), RECORD, SnapshotJson.encode(snapshot));
    }

    /** Replaces a snapshot by one with another key, kind or labels. */
    synchronized void replace(KeptSnapshot before, KeptSnapshot after) throws IOException {
        KeptSnapshot now = byKey.get(before.key());
        if (now == null || now.id() != before.id()) {
            throw SnapshotRefusal.missing(before.key());
        }
        if (!before.key().equals(after.key()) && byKey.containsKey(after.key())) {
            throw SnapshotRefusal.exists(after.key());
        }
        write(after);
        byKey.remove(before.key());
        byKey.put(after.key(), after);
    }

    /** Removes a snapshot, its record first. */
    void remove(String key) throws IOException {
        KeptSnapshot removed;
        synchronized (this) {
            KeptSnapshot there = byKey.get(key);
            if (there == null) {
                throw SnapshotRefusal.missing(key);
            }
            if (byKey.values().stream().anyMatch(each -> each.parent().equals(key))) {
                throw new SnapshotRefusal(
                        SnapshotRefusal.Reason.FAILED_PRECONDITION,
                        "snapshot %.300s is the parent of others: remove them first".formatted(key));
            }
            Files.deleteIfExists(directory(there.id()).resolve(RECORD));
            DurableDirectory.sync(directory(there.id()));
            byKey.remove(key);
            removed = there;
        }
        try {
            delete(directory(removed.id()));
        } catch (IOException e) {
            LOG.warn("the files of the removed snapshot {} are left to the next clean-up: {}", key, e.toString());
        } finally {
            synchronized (this) {
                taken.remove(removed.id());
            }
        }
    }

    /** Deletes directories without a record. */
    void clean() throws IOException {
        for (long id : ids()) {
            boolean isGarbage;
            synchronized (this) {
                isGarbage = !taken.contains(id);
            }
            if (isGarbage) {
                delete(directory(id));
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        Path unused = Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes has) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(each);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("the lock of {} is not released", snapshots, e);
        }
    }
}
