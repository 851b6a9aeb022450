// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import io.packing.durable.DirectoryLock;
import io.packing.durable.DurableDirectory;
import io.packing.durable.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The opener of sorted stores. */
public final class SortedStores {
    private static final Logger LOG = LoggerFactory.getLogger(SortedStores.class);
    private static final String ENGINE_FILE = "ENGINE";
    /** The file with the boot of the machine in which the store was opened last. */
    private static final String BOOT_FILE = "BOOT";

    static final String RESERVE_FILE = "RESERVE";

    /** A way to open a sorted store: {@link #open}, or one in memory for a test. */
    public interface Opener {
        /** Opens the store in a directory; creates it if it is missing. */
        SortedStore open(Path directory, SortedStoreOptions config) throws IOException;
    }

    private SortedStores() {}

    /**
     * Opens the store in a directory; creates it if it is missing.
     *
     * @throws DamagedStoreException when the engine cannot open the existing store
     * @throws IOException when the directory cannot be used, is in use, or holds a store of the other engine
     */
    public static SortedStore open(Path directory, SortedStoreOptions config) throws IOException {
        create(directory);
        FileStore disk = Files.getFileStore(directory);
        return open(directory, config, () -> usableBytes(directory, disk));
    }

    /**
     * Returns the free bytes of the disk; after a move or removal of the directory, those of the nearest parent's disk.
     */
    private static long usableBytes(Path directory, FileStore disk) throws IOException {
        try {
            return disk.getUsableSpace();
        } catch (NoSuchFileException e) {
            Path above = directory.toAbsolutePath();
            while (above.getParent() != null && Files.notExists(above)) {
                above = above.getParent();
            }
            return Files.getFileStore(above).getUsableSpace();
        }
    }

    static SortedStore open(Path directory, SortedStoreOptions config, DiskGuard.FreeSpace freeSpace)
            throws IOException {
        create(directory);
        DirectoryLock lock = DirectoryLock.acquire(directory, "LOCK");
        try {
            DiskReserve reserve = new DiskReserve(directory.resolve(RESERVE_FILE), config.reserveBytes());
            DiskGuard guard = new DiskGuard(directory, config.keptFreeBytes(), freeSpace, reserve);
            admit(guard, config.writeBufferBytes());
            checkEngine(directory, config.engine());
            StoreEngine engine = openEngine(directory, config, guard);
            try {
                DurableFile.write(directory, BOOT_FILE, Boot.id());
            } catch (IOException | RuntimeException e) {
                engine.close();
                throw e;
            }
            return new GuardedStore(directory, engine, guard, lock);
        } catch (IOException | RuntimeException | LinkageError e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Admits the start of a store: the log of a crash becomes a table, for which the reserve of that crash may be
     * needed.
     */
    private static void admit(DiskGuard guard, long bytes) throws IOException {
        guard.admit(bytes);
        if (guard.freeBytes() < guard.keptFreeBytes()) {
            long released = guard.reserve().release();
            LOG.debug("{}: opened with {} bytes of its reserve", guard.directory(), released);
        }
    }

    private static void create(Path directory) throws IOException {
        try {
            DurableDirectory.create(directory);
        } catch (IOException e) {
            throw new IOException(
                    "%s: cannot create the store's directory; check that its parent exists and is writable"
                            .formatted(directory),
                    e);
        }
        if (!Files.isWritable(directory)) {
            throw new IOException(
                    "%s: the store's directory is read-only; make it writable or choose another".formatted(directory));
        }
    }

    private static StoreEngine openEngine(Path directory, SortedStoreOptions config, DiskGuard guard)
            throws IOException {
        boolean restarted = isFirstOfBoot(directory);
        Path data = directory.resolve("data");
        try {
            return switch (config.engine()) {
                case LEVELDB ->
                    WatchedLevelDb.watch(LevelDbEngine.open(data, config, restarted), guard, DiskWatch.PROCESS);
                case ROCKSDB -> RocksDbEngine.open(data, config, guard, restarted);
            };
        } catch (IOException e) {
            // A store without room is not damaged, and must not be made again.
            throw DiskFullException.isCauseOf(e)
                    ? new DiskFullException(String.valueOf(e.getMessage()), e)
                    : new DamagedStoreException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void checkEngine(Path directory, SortedStoreOptions.Engine engine) throws IOException {
        Path marker = directory.resolve(ENGINE_FILE);
        String name = engine.name().toLowerCase(Locale.ROOT);
        if (!Files.exists(marker)) {
            DurableFile.write(directory, ENGINE_FILE, name);
            return;
        }
        String present = Files.readString(marker, StandardCharsets.US_ASCII).strip();
        if (!present.equals(name)) {
            throw new IOException("%s holds a %s store, not a %s store: configure that engine or another directory"
                    .formatted(directory, present, name));
        }
    }

    private static boolean isFirstOfBoot(Path directory) throws IOException {
        Path marker = directory.resolve(BOOT_FILE);
        return !Files.exists(marker)
                || Boot.id().isEmpty()
                || !Files.readString(marker, StandardCharsets.US_ASCII).equals(Boot.id());
    }
}
