// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.durable.DirectoryInUseException;
import io.packing.durable.DirectoryLock;
import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A buffer directory that this process holds exclusively: number {@code 0}, {@code 1}, … below the directory of a mount.
 *
 * <p>One mount may need several engines in one process. Alluxio may load the extension twice. It does not announce an
 * unmount either, so a remount with other options meets an engine that still runs. Each takes the first free slot and
 * is a worker of its own. The first engine that comes drains the files that a slot still holds after a restart ({@link
 * #leftovers}).
 */
final class BufferSlot implements AutoCloseable {
    /** More engines of one mount in one node mean that something else is wrong. */
    private static final int MAX_SLOTS = 64;

    private static final String LOCK = "slot.lock";

    private final int number;
    private final Path directory;
    private final DirectoryLock lock;

    private BufferSlot(int number, Path directory, DirectoryLock lock) {
        this.number = number;
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Takes the first free slot.
     *
     * @throws IOException when the directory cannot be written, or every slot is taken
     */
    static BufferSlot take(Path mountDirectory) throws IOException {
        for (int number = 0; number < MAX_SLOTS; number++) {
            Optional<BufferSlot> slot = tryTake(mountDirectory, number);
            if (slot.isPresent()) {
                return slot.get();
            }
        }
        throw new IOException("all %d buffer directories below %s are in use by other processes"
                .formatted(MAX_SLOTS, mountDirectory));
    }

    /** Takes every other slot that was used before and is free now. */
    static List<BufferSlot> leftovers(Path mountDirectory) throws IOException {
        List<BufferSlot> taken = new ArrayList<>();
        for (int number = 0; number < MAX_SLOTS; number++) {
            if (Files.isDirectory(bufferOf(mountDirectory, number))) {
                tryTake(mountDirectory, number).ifPresent(taken::add);
            }
        }
        return taken;
    }

    private static Optional<BufferSlot> tryTake(Path mountDirectory, int number) throws IOException {
        Path slot = OwnerOnly.directory(mountDirectory.resolve(Integer.toString(number)))
                .toRealPath();
        try {
            return Optional.of(new BufferSlot(number, slot, DirectoryLock.acquire(slot, LOCK)));
        } catch (DirectoryInUseException e) {
            return Optional.empty();
        }
    }

    private static Path bufferOf(Path mountDirectory, int number) {
        return mountDirectory.resolve(Integer.toString(number)).resolve("buffer");
    }

    int number() {
        return number;
    }

    /** Returns the directory of the engine's buffer; the engine makes it. */
    Path buffer() {
        return directory.resolve("buffer");
    }

    /** Forgets a drained buffer, so that no engine drains it again. */
    void discard() throws IOException {
        if (Files.isDirectory(buffer())) {
            List<Path> deepestFirst;
            try (Stream<Path> walk = Files.walk(buffer())) {
                deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : deepestFirst) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
