// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;

/**
 * The jars of engines, which {@code bin/table-engines} has brought.
 *
 * @param directory with a folder for each engine
 */
public record EngineJars(Path directory) {
    private static final int OLDEST_FOR_TRINO = 24;

    /** Returns the entry of a class path with all jars of a folder. */
    String all(String folder) throws IOException {
        return folder(folder) + "/*";
    }

    /** Returns a folder, which has to be there. */
    Path folder(String name) throws IOException {
        Path folder = directory.resolve(name).toAbsolutePath();
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(
                    folder.toString(), null, "there are no jars of this engine: run bin/table-engines " + directory);
        }
        return folder;
    }

    /**
     * Returns the home of a Java runtime that Trino takes.
     *
     * @param named the home that the user names
     */
    static Path javaOfTrino(Optional<Path> named) throws IOException {
        if (named.isPresent()) {
            return named.get();
        }
        Path homes = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(homes)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(homes)) {
                for (Path home : all) {
                    if (version(home.resolve("release")) >= OLDEST_FOR_TRINO) {
                        return home;
                    }
                }
            }
        }
        throw new IOException(
                "Trino needs Java %d or newer, and %s has none: install one (Debian: openjdk-25-jre-headless), or name its home by --trino-java"
                        .formatted(OLDEST_FOR_TRINO, homes));
    }

    private static int version(Path release) throws IOException {
        if (!Files.isRegularFile(release)) {
            return 0;
        }
        Properties properties = new Properties();
        try (BufferedReader in = Files.newBufferedReader(release)) {
            properties.load(in);
        }
        String text = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
        return Arrays.stream(text.split("[.+-]"))
                .findFirst()
                .filter(first -> first.matches("\\d+"))
                .map(Integer::parseInt)
                .orElse(0);
    }
}
