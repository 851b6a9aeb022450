// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Recordings of the tasks that come with the program, with names replaced by hashes.
 *
 * @param directory that has them
 */
public record RecordedTasks(Path directory) {
    private static final String SUFFIX = ".htfs";

    /** The names of the tasks. */
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Copies the recording of a task.
     *
     * @throws IllegalArgumentException when there is none
     */
    public Path copy(String task, Path to) throws IOException {
        Path file = directory.resolve(task + SUFFIX);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("no recording of '%s'; there are %s".formatted(task, names()));
        }
        Files.createDirectories(to);
        return Files.copy(file, to.resolve(task + SUFFIX), StandardCopyOption.REPLACE_EXISTING);
    }
}
