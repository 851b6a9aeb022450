// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The clone or the unpacked distribution that {@code bin/packing} runs from, and what is where in it. */
public record Home(Path root) {
    /** Returns the home that the launcher names. */
    public static Home find() {
        String root = System.getProperty("packing.home");
        if (root == null) {
            throw new IllegalStateException("packing.home is not set; start the command with bin/packing");
        }
        return new Home(Path.of(root));
    }

    /** Returns the file of an application's rules for the analysis of its traces. */
    public Path traceRules(String application) {
        return root.resolve("conf/trace").resolve(application + ".conf");
    }

    /**
     * A file of {@code conf/prices}.
     *
     * @throws IllegalArgumentException naming the tables that are there, when this one is not
     */
    public Path prices(String name) throws IOException {
        Path tables = root.resolve("conf/prices");
        Path file = tables.resolve(name + ".properties");
        if (!Files.isRegularFile(file)) {
            try (Stream<Path> all = Files.list(tables)) {
                throw new IllegalArgumentException("no price table '%s'; there are %s"
                        .formatted(
                                name,
                                all.map(table -> String.valueOf(table.getFileName())
                                                .replace(".properties", ""))
                                        .sorted()
                                        .collect(Collectors.joining(", "))));
            }
        }
        return file;
    }
}
