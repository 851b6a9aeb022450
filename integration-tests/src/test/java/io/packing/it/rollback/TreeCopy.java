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
     * Copies a directory, of a process that may be alive. What it changes meanwhile is copied again: a snapshot of a volume is of one
     * moment.
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
                // It went while it was copied.
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
     * Puts the copy in the place of a directory whose process has ended.
     *
     * @param lock the file that processes lock; where it is there already, it stays: a volume that is put back has that file
     */
    void putBack(Path directory, String lock) throws IOException {
        for (Path file : below(directory, Comparator.reverseOrder())) {
            if (!file.equals(directory) && !file.equals(directory.resolve(lock))) {
                Files.delete(file);
            }
        }
        copy(files, directory);
    }

    /** Deletes a directory with all that is in it, if it is there. */
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
