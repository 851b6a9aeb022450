// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Operations on whole directories. */
public final class Trees {
    private Trees() {}

    /** Replaces a directory by a copy of another one, which no process changes meanwhile. */
    public static void copy(Path from, Path to) throws IOException {
        delete(to);
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.sorted().toList();
        }
        for (Path each : all) {
            Files.copy(each, to.resolve(from.relativize(each).toString()));
        }
    }

    /** Deletes a directory tree, if it exists. */
    public static void delete(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(root)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                // A killed process that had not ended yet deletes files here, too.
                delete(root);
                return;
            }
            throw e.getCause();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
