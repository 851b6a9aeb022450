// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Programs of other modules are there, are called with the words that were typed, and hand on their exit code. */
class ProgramTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @ParameterizedTest
    @EnumSource
    void theMainClassOfAProgramIsInItsModule(Program program) {
        Path source = ROOT.resolve(program.folder())
                .resolve("src/main/java")
                .resolve(program.mainClass().replace('.', '/') + ".java");
        assertThat(source).content().contains("public static void main(String[] ");
    }

    @ParameterizedTest
    @CsvSource({
        "bench engine-ingest --files 20 packing.threads=2, --files 20 packing.threads=2",
        "chaos --masters 3 --help, --masters 3 --help",
        "chaos fuse --rounds 1, --rounds 1",
        "--verbose fuzz --attackers fuzz --json, --attackers fuzz --json",
        "bench cache-lru 3 bench cache-lru, 3 bench cache-lru"
    })
    void aProgramHasTheWordsBehindItsName(String typed, String expected) {
        CommandLine lab = LabCommand.commandLine();
        List<String> words = List.of(typed.split(" "));
        ParseResult parsed = lab.parseArgs(words.toArray(String[]::new));
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        ProgramCommand command = parsed.commandSpec().commandLine().getCommand();
        assertThat(Objects.requireNonNull(command).wordsIn(words)).containsExactly(expected.split(" "));
    }

    @Test
    void theExitCodeOfAProgramIsHandedOn() throws Exception {
        List<Path> classPath = List.of(Path.of("target/test-classes").toAbsolutePath());
        assertThat(ProgramProcess.run(classPath, List.of(), EndWithCode.class.getName(), 64, List.of("7")))
                .isEqualTo(7);
    }

    /** A program that ends with the code that its word is. */
    static final class EndWithCode {
        private EndWithCode() {}

        public static void main(String[] args) {
            System.exit(Integer.parseInt(args[0]));
        }
    }
}
