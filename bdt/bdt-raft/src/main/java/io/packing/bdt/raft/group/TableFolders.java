// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import io.packing.durable.DurableDirectory;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The folders of a member's tables: one for each table, in a numbered directory, which changes when tables are fetched.
 * A removed table vanishes atomically, whenever a crash comes: an engine cannot open a folder without some of its
 * files. Confined to the thread that applies the entries, except {@link #open} of an unused number.
 */
final class TableFolders {
    private static final String TABLES = "tables-";
    private static final String REMOVED = "removed-";

    private final Path directory;
    private final ReplicatedTables.Opener opener;
    private final Map<String, SortedStore> stores = new TreeMap<>();

    TableFolders(Path directory, ReplicatedTables.Opener opener) {
        this.directory = directory;
        this.opener = opener;
    }

    private Path directory(int number) {
        return directory.resolve(TABLES + number);
    }

    /** Returns the store of a table, which stays open; a new table's store is empty. */
    SortedStore store(int number, String folder) throws IOException {
        SortedStore open = stores.get(folder);
        if (open == null) {
            open = open(number, folder);
            stores.put(folder, open);
        }
        return open;
    }

    /** Opens a store that the caller closes. */
    SortedStore open(int number, String folder) throws IOException {
        return opener.open(DurableDirectory.create(directory(number).resolve(folder)));
    }

    /** Removes a table, if it exists. */
    void remove(int number, String folder) throws IOException {
        SortedStore open = stores.remove(folder);
        if (open != null) {
            open.close();
        }
        Path all = directory(number);
        if (Files.exists(all.resolve(folder))) {
            Path removed = all.resolve(REMOVED + folder);
            Folders.remove(removed);
            Files.move(all.resolve(folder), removed, StandardCopyOption.ATOMIC_MOVE);
            DurableDirectory.sync(all);
            Folders.remove(removed);
        }
    }

    /** Removes all tables of a number. */
    void removeAll(int number) throws IOException {
        Folders.remove(directory(number));
    }

    /** Removes leftovers of a crash: the tables of all other numbers, and parts of removed tables. */
    void removeOthers(int number) throws IOException {
        Path current = directory(number);
        remove(directory, each -> name(each).startsWith(TABLES) && !each.equals(current));
        if (Files.exists(current)) {
            remove(current, each -> name(each).startsWith(REMOVED));
        }
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }

    private static void remove(Path in, Predicate<Path> which) throws IOException {
        List<Path> found;
        try (Stream<Path> files = Files.list(in)) {
            found = files.filter(which).toList();
        }
        for (Path each : found) {
            Folders.remove(each);
        }
    }

    void closeStores() throws IOException {
        for (SortedStore store : stores.values()) {
            store.close();
        }
        stores.clear();
    }
}
