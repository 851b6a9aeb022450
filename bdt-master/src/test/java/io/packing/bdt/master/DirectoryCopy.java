// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A copy of a master's data directory, as a backup program or the snapshot of a volume makes it. */
final class DirectoryCopy {
    /** The file that a process locks. A snapshot of a volume that is put back has the same one, and a copied directory another. */
    private static final String LOCK = "lock";

    private final TestStores stores;
    private final Path files;
    private final Map<Path, Map<byte[], byte[]>> rows;

    private DirectoryCopy(TestStores stores, Path files, Map<Path, Map<byte[], byte[]>> rows) {
        this.stores = stores;
        this.files = files;
        this.rows = rows;
    }

    /** Copies a directory, of a master that may be alive and changes nothing at this moment. */
    static DirectoryCopy of(TestStores stores, Path data, Path to) throws IOException {
        copy(data, to);
        return new DirectoryCopy(stores, to, stores.rowsBelow(data));
    }

    /** Puts the copy in the place of a directory, as a volume is put back to its snapshot. Its master must have ended. */
    void putBack(Path data) throws IOException {
        for (Path file : below(data, Comparator.reverseOrder())) {
            if (!file.equals(data) && !file.equals(data.resolve(LOCK))) {
                Files.delete(file);
            }
        }
        unpack(data);
    }

    /** Makes a directory of its own of the copy. */
    void unpack(Path data) throws IOException {
        copy(files, data);
        stores.putBelow(data, rows);
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : below(from, Comparator.naturalOrder())) {
            Path target = to.resolve(from.relativize(file));
            if (Files.isDirectory(file)) {
                Files.createDirectories(target);
            } else if (!Files.exists(target)) {
                Files.copy(file, target);
            }
        }
    }

    private static List<Path> below(Path folder, Comparator<Path> order) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.sorted(order).toList();
        }
    }
}
