// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A third-party program in the folder of {@code -Dpacking.servers} or on the path. */
public record InstalledProgram(Path path) {
    private static final String PROPERTY = "packing.servers";

    /** Returns a program by its name, if it is installed. */
    public static Optional<InstalledProgram> find(String name) {
        List<String> folders = new ArrayList<>(List.of(System.getProperty(PROPERTY, "")));
        folders.addAll(
                List.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1)));
        return folders.stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder).resolve(name).toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst()
                .map(InstalledProgram::new);
    }

    /**
     * Returns a program by its name.
     *
     * @param install the command that installs it
     * @throws IOException with that command if the program is missing
     */
    public static InstalledProgram require(String name, String install) throws IOException {
        return find(name).orElseThrow(() -> new IOException(missing(name, install)));
    }

    /** Returns a message with the command that installs a missing program. */
    static String missing(String name, String install) {
        return "%s is neither on the path nor in -D%s=DIR: %s".formatted(name, PROPERTY, install);
    }
}
