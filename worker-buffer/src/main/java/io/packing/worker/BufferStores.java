// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.sorted.DamagedStoreException;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.worker.api.BufferValues;
import io.packing.worker.buffer.FileBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sorted stores of a mount's buffer: one for its index, and one for its values if the mount keeps them in a store.
 */
final class BufferStores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BufferStores.class);
    private static final int CACHE_BYTES = 8 << 20;
    private static final int INDEX_WRITE_BUFFER_BYTES = 4 << 20;
    // This buffer is large: a value that is deleted before the memory table is full costs only its log record.
    private static final int VALUES_WRITE_BUFFER_BYTES = 64 << 20;
    private static final long MIN_FREE_DISK_BYTES = 32L << 20;

    private final FileBuffer.Stores stores;

    private BufferStores(FileBuffer.Stores stores) {
        this.stores = stores;
    }

    static BufferStores open(
            SortedStores.Opener tables, Path home, SortedStoreOptions.Engine engine, BufferValues place)
            throws IOException {
        SortedStore index = index(tables, home.resolve("index"), engine);
        try {
            Path values = home.resolve("values");
            // An earlier mount may have left values in a store, and this one still has to push them.
            boolean needed = place == BufferValues.STORE || Files.exists(values);
            Optional<SortedStore> store = needed
                    ? Optional.of(tables.open(values, config(engine, VALUES_WRITE_BUFFER_BYTES)))
                    : Optional.empty();
            return new BufferStores(new FileBuffer.Stores(index, store, place));
        } catch (IOException | RuntimeException e) {
            index.close();
            throw e;
        }
    }

    private static SortedStoreOptions config(SortedStoreOptions.Engine engine, int writeBufferBytes) {
        return new SortedStoreOptions(engine, CACHE_BYTES, writeBufferBytes, MIN_FREE_DISK_BYTES);
    }

    private static SortedStore index(SortedStores.Opener tables, Path directory, SortedStoreOptions.Engine engine)
            throws IOException {
        SortedStoreOptions config = config(engine, INDEX_WRITE_BUFFER_BYTES);
        try {
            return tables.open(directory, config);
        } catch (DamagedStoreException e) {
            LOG.warn("{}; it is made anew from the buffer's segments", e.getMessage());
            deleteTree(directory.resolve("data"));
            return tables.open(directory, config);
        }
    }

    private static void deleteTree(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    FileBuffer.Stores stores() {
        return stores;
    }

    @Override
    public void close() throws IOException {
        stores.index().close();
        if (stores.values().isPresent()) {
            stores.values().get().close();
        }
    }
}
