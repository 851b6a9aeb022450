package io.packing.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The directory of a local store, by its path and the identity that it had when the store was opened. A disk that is unmounted
 * leaves an empty directory at its path: what is written there is hidden by the next mount, and what is asked there looks deleted.
 */
final class LocalRoot {
    private final Path path;
    private final Object identity;

    private LocalRoot(Path path, Object identity) {
        this.path = path;
        this.identity = identity;
    }

    /** Takes the directory that is at a path now. */
    static LocalRoot open(Path path) throws IOException {
        return new LocalRoot(path, identity(path));
    }

    Path path() {
        return path;
    }

    /**
     * Refuses another directory at the path.
     *
     * @throws MissingStoreException when the directory is gone, or is another than at the opening of the store
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
        // Not the number of the device: a network file system has another one each time when it is mounted.
        return Files.getAttribute(path, "unix:ino");
    }
}
