// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A copy of a directory, as a backup program or a snapshot of a volume makes it. */
record TreeCopy(Path files) {
    private static final int TRIES = 200;

    /**
     * Copies a directory, whose process may run. It repeats the copy after a change meanwhile: a snapshot of a volume
     * is of one moment.
     */
    static TreeCopy of(Path directory, Path to) throws IOException, InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            delete(to);
            try {
                List<String> before = print(directory);
                copy(directory, to);
                if (before.equals(print(directory))) {
                    return new TreeCopy(to);
                }
            } catch (NoSuchFileException e) {
                // A file vanished during the copy.
                Thread.onSpinWait();
            }
        }
        throw new IOException("%s never stayed as it was while it was copied".formatted(directory));
    }

    private static List<String> print(Path directory) throws IOException {
        List<String> print = new ArrayList<>();
        for (Path file : below(directory, Comparator.naturalOrder())) {
            print.add("%s %d %s".formatted(file, Files.size(file), Files.getLastModifiedTime(file)));
        }
        return print;
    }

    /**
     * Replaces a directory by the copy; its process must have ended.
     *
     * @param lock the file that processes lock; an existing one stays, as on a restored volume
     */
    void putBack(Path directory, String lock) throws IOException {
        for (Path file : below(directory, Comparator.reverseOrder())) {
            if (!file.equals(directory) && !file.equals(directory.resolve(lock))) {
                Files.delete(file);
            }
        }
        copy(files, directory);
    }

    /** Deletes a directory tree, if it exists. */
    static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            for (Path file : below(directory, Comparator.reverseOrder())) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : below(from, Comparator.naturalOrder())) {
            Path target = to.resolve(from.relativize(file).toString());
            if (Files.isDirectory(file)) {
                Files.createDirectories(target);
            } else if (!Files.exists(target)) {
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static List<Path> below(Path folder, Comparator<Path> order) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.sorted(order).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
