// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of a command that plays rounds. */
public final class RoundOptions {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "The seed from which the rounds' seeds are made.")
    private long seed;

    @Option(
            names = "--round-seed",
            paramLabel = "S",
            description = "Plays the round of this seed, as often as --rounds says.")
    private Optional<Long> roundSeed = Optional.empty();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the processes' files; a new folder by default.")
    private Optional<Path> directory = Optional.empty();

    @Option(names = "--json", description = "Print one JSON object instead of a table.")
    private boolean json;

    /** Returns the number of rounds, after a check. */
    public int rounds(CommandLine line) {
        if (rounds < 1) {
            throw new CommandLine.ParameterException(line, "--rounds: at least 1");
        }
        return rounds;
    }

    public Seeds seeds() {
        return roundSeed.isPresent() ? Seeds.always(roundSeed.get()) : Seeds.from(seed);
    }

    /** Returns the directory of the processes' files. */
    public Path home(String prefix) throws IOException {
        Path home =
                directory.isPresent() ? Files.createDirectories(directory.get()) : Files.createTempDirectory(prefix);
        return home.toAbsolutePath();
    }

    /** Prints the result of rounds. */
    public void print(CommandLine line, Map<String, Object> fields) throws JsonProcessingException {
        PrintWriter out = line.getOut();
        if (json) {
            out.println(JSON.writeValueAsString(fields));
        } else {
            fields.forEach((name, value) -> print(out, name, value));
        }
        out.flush();
    }

    private static void print(PrintWriter out, String name, Object value) {
        if (value instanceof List<?> rows && !rows.isEmpty()) {
            rows.forEach(row -> out.printf("%-28s %s%n", name, row));
        } else {
            out.printf("%-28s %s%n", name, value);
        }
    }
}
