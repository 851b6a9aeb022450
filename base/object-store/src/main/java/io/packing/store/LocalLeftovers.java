// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The temporary files of puts that a crash ended. No put takes so long: they belong to no living process. */
final class LocalLeftovers {
    private static final Duration OLD = Duration.ofDays(1);

    private LocalLeftovers() {}

    /**
     * Deletes the old files beside a new one.
     *
     * @param fresh a file that was just made; its time is that of the file system, which may be on another machine
     */
    static void delete(Path fresh) throws IOException {
        Path folder = fresh.toAbsolutePath().getParent();
        if (folder == null) {
            return;
        }
        Instant limit = Files.getLastModifiedTime(fresh).toInstant().minus(OLD);
        List<Path> beside;
        try (Stream<Path> files = Files.list(folder)) {
            beside = files.toList();
        }
        for (Path file : beside) {
            if (isOlder(file, limit)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static boolean isOlder(Path file, Instant limit) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(limit);
        } catch (NoSuchFileException e) {
            // Its put has just ended.
            return false;
        }
    }
}
