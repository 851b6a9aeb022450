// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option for the directory of a run's figures and numbers. */
final class OutArgument {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Also write the result as JSON, the numbers of the figure as CSV, and the figure as PNG, here.")
    private Optional<Path> directory = Optional.empty();

    /** Draws into a directory. */
    interface Figure {
        void write(Path directory) throws IOException;
    }

    /** Makes the directory: a run of minutes should not end in a directory that cannot be made. */
    void prepare() throws IOException {
        if (directory.isPresent()) {
            Files.createDirectories(directory.get());
        }
    }

    /** Writes {@code name.json} and the figure. */
    void write(String name, Object result, Figure figure) throws IOException {
        if (directory.isPresent()) {
            Report.json()
                    .writerWithDefaultPrettyPrinter()
                    .writeValue(directory.get().resolve(name + ".json").toFile(), result);
            figure.write(directory.get());
        }
    }
}
