package io.packing.sorted;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Opens sorted stores. */
public final class SortedStores {
    private static final String ENGINE_FILE = "ENGINE";

    private SortedStores() {}

    /**
     * Opens the store in a directory, creating it when there is none.
     *
     * @throws IOException when the directory cannot be used, is in use, or holds a store of the other engine
     */
    public static SortedStore open(Path directory, SortedStoreConfig config) throws IOException {
        return open(directory, config, () -> Files.getFileStore(directory).getUsableSpace());
    }

    static SortedStore open(Path directory, SortedStoreConfig config, DiskGuard.FreeSpace freeSpace)
            throws IOException {
        try {
            Files.createDirectories(directory);
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
        DirectoryLock lock = DirectoryLock.acquire(directory);
        try {
            DiskGuard guard = new DiskGuard(directory, config.minFreeDiskBytes(), freeSpace);
            guard.admit(config.writeBufferBytes());
            checkEngine(directory, config.engine());
            StoreEngine engine = switch (config.engine()) {
                case LEVELDB -> LevelDbEngine.open(directory.resolve("data"), config);
                case ROCKSDB -> RocksDbEngine.open(directory.resolve("data"), config);
            };
            return new GuardedStore(directory, engine, guard, lock);
        } catch (IOException | RuntimeException | LinkageError e) {
            lock.close();
            throw e;
        }
    }

    private static void checkEngine(Path directory, SortedStoreConfig.Engine engine) throws IOException {
        Path marker = directory.resolve(ENGINE_FILE);
        String name = engine.name().toLowerCase(Locale.ROOT);
        if (!Files.exists(marker)) {
            Files.writeString(marker, name, StandardCharsets.US_ASCII);
            return;
        }
        String present = Files.readString(marker, StandardCharsets.US_ASCII).strip();
        if (!present.equals(name)) {
            throw new IOException("%s holds a %s store, not a %s store: configure that engine or another directory"
                    .formatted(directory, present, name));
        }
    }
}
