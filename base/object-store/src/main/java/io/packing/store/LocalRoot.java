// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The directory of a local store, by its path and its identity at the opening of the store. An unmounted disk leaves an
 * empty directory at its path: the next mount would hide files written there, and all objects would look deleted.
 */
final class LocalRoot {
    private final Path path;
    private final Object identity;

    private LocalRoot(Path path, Object identity) {
        this.path = path;
        this.identity = identity;
    }

    /** Takes the present directory at a path. */
    static LocalRoot open(Path path) throws IOException {
        return new LocalRoot(path, identity(path));
    }

    Path path() {
        return path;
    }

    /**
     * Refuses another directory at the path.
     *
     * @throws MissingStoreException when the directory is gone, or is another one than at the opening of the store
     */
    void check() throws IOException {
        if (!Objects.equals(identity(path), identity)) {
            throw new MissingStoreException(
                    "packing.store: %s is another directory than when the store was opened; mount its disk again, or restart with the directory that holds the objects now"
                            .formatted(path));
        }
    }

    private static Object identity(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            throw new MissingStoreException(
                    "packing.store: there is no directory %s; create it or fix the path".formatted(path));
        }
        // The number of the device does not count: a network file system has another one after each mount.
        return Files.getAttribute(path, "unix:ino");
    }
}
