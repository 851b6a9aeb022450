package io.packing.sorted;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Opens sorted stores. */
public final class SortedStores {
    private static final String ENGINE_FILE = "ENGINE";
    /** The start of the machine in which the store was opened last. */
    private static final String BOOT_FILE = "BOOT";

    private SortedStores() {}

    /**
     * Opens the store in a directory, creating it when there is none.
     *
     * @throws DamagedStoreException when the engine cannot open what is there
     * @throws IOException when the directory cannot be used, is in use, or holds a store of the other engine
     */
    public static SortedStore open(Path directory, SortedStoreConfig config) throws IOException {
        return open(directory, config, new DiskSpace());
    }

    /**
     * The same for one of several stores.
     *
     * @param space of the disks that they share
     */
    public static SortedStore open(Path directory, SortedStoreConfig config, DiskSpace space) throws IOException {
        create(directory);
        DiskSpace.Part part = space.join(Files.getFileStore(directory), config.wantedBytes());
        try {
            return open(
                    directory,
                    config,
                    new DiskGuard(directory, config.minFreeDiskBytes(), part::usableBytes, part::wantedByOthers),
                    part);
        } catch (IOException | RuntimeException | LinkageError e) {
            part.close();
            throw e;
        }
    }

    static SortedStore open(Path directory, SortedStoreConfig config, DiskGuard.FreeSpace freeSpace)
            throws IOException {
        create(directory);
        DiskGuard guard = new DiskGuard(directory, config.minFreeDiskBytes(), freeSpace, () -> 0);
        return open(directory, config, guard, new DiskSpace().join(Files.getFileStore(directory), 0));
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

    private static SortedStore open(Path directory, SortedStoreConfig config, DiskGuard guard, DiskSpace.Part part)
            throws IOException {
        DirectoryLock lock = DirectoryLock.acquire(directory);
        try {
            guard.admit(config.writeBufferBytes());
            checkEngine(directory, config.engine());
            StoreEngine engine = openEngine(directory.resolve("data"), config, isFirstOfBoot(directory));
            try {
                mark(directory, BOOT_FILE, Boot.id());
            } catch (IOException | RuntimeException e) {
                engine.close();
                throw e;
            }
            return new GuardedStore(directory, engine, guard, part, lock);
        } catch (IOException | RuntimeException | LinkageError e) {
            lock.close();
            throw e;
        }
    }

    private static StoreEngine openEngine(Path data, SortedStoreConfig config, boolean restarted)
            throws DamagedStoreException {
        try {
            return switch (config.engine()) {
                case LEVELDB -> LevelDbEngine.open(data, config, restarted);
                case ROCKSDB -> RocksDbEngine.open(data, config);
            };
        } catch (IOException e) {
            throw new DamagedStoreException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void checkEngine(Path directory, SortedStoreConfig.Engine engine) throws IOException {
        Path marker = directory.resolve(ENGINE_FILE);
        String name = engine.name().toLowerCase(Locale.ROOT);
        if (!Files.exists(marker)) {
            mark(directory, ENGINE_FILE, name);
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

    /** All of it or nothing: after a crash half a name would belong to no engine. */
    private static void mark(Path directory, String name, String text) throws IOException {
        Path written = directory.resolve(name + ".new");
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            channel.write(StandardCharsets.US_ASCII.encode(text));
            channel.force(true);
        }
        Files.move(written, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        DurableDirectory.sync(directory);
    }
}
