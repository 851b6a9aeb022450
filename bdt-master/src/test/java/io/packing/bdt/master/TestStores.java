// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.store.ObjectStore;
import io.packing.store.StoreAddress;
import io.packing.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Stores in memory that outlive a master: tables by their directory, and one backing store. */
final class TestStores implements Stores {
    static final Map<String, String> MOUNT = Map.of("packing.store", "map:/test", "packing.threads", "16");

    /** A form under which nearly all maps are in rows. */
    static final MapForm ROWS = new MapForm(1, 1, 2, 0, 1, 4);

    final MapObjects objects = new MapObjects();
    MapForm maps = MapForm.USUAL;
    private final Map<Path, TreeStore> tables = new ConcurrentHashMap<>();

    @Override
    public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
        if (!Files.exists(directory)) {
            // Its files would have gone with it.
            Files.createDirectories(directory);
            tables.put(directory, new TreeStore());
        }
        return tables.computeIfAbsent(directory, path -> new TreeStore());
    }

    @Override
    public StoreAddress address(Map<String, String> options) {
        return new StoreAddress(new StoreLocation.Directory(Path.of("/test")), "");
    }

    @Override
    public ObjectStore objects(Map<String, String> options) {
        return objects;
    }

    @Override
    public MapForm maps() {
        return maps;
    }

    /** The one table there is. */
    TreeStore table() {
        return tables.values().iterator().next();
    }

    void dropTables() {
        tables.clear();
    }

    /** Returns the rows of the tables below a directory, by their places in it. */
    Map<Path, Map<byte[], byte[]>> rowsBelow(Path directory) {
        Map<Path, Map<byte[], byte[]>> rows = new HashMap<>();
        tables.forEach((path, table) -> {
            if (path.startsWith(directory)) {
                rows.put(directory.relativize(path), table.copy());
            }
        });
        return rows;
    }

    /** Gives the tables below a directory these rows. */
    void putBelow(Path directory, Map<Path, Map<byte[], byte[]>> rows) {
        tables.keySet().removeIf(path -> path.startsWith(directory));
        rows.forEach((path, table) -> {
            TreeStore store = new TreeStore();
            store.reset(table);
            tables.put(directory.resolve(path), store);
        });
    }

    static BdtMasterOptions config(Path directory) {
        return new BdtMasterOptions(directory, "127.0.0.1", 0, 0, SortedStoreOptions.Engine.LEVELDB, 1 << 20, 0);
    }
}
