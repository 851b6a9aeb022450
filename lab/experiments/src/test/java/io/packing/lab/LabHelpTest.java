// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.packing.bdt.BdtOptions;
import io.packing.cli.ExitCodes;
import io.packing.help.CommandHelp;
import io.packing.options.Option;
import io.packing.worker.api.PackOptions;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of every command, option and argument of the laboratory. */
class LabHelpTest {
    private static Stream<CommandLine> everyCommand() {
        return CommandHelp.withSubcommands(LabCommand.commandLine());
    }

    /** The commands that read their own words: the others start a program. */
    private static Stream<CommandLine> everyOwnCommand() {
        return everyCommand().filter(command -> !(command.getCommand() instanceof ProgramCommand));
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void everyDescriptionIsWholeSentences(CommandLine command) {
        assertThat(CommandHelp.incompleteDescriptions(command)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void everyDefaultIsShownAsItIs(CommandLine command) {
        assertThat(CommandHelp.wrongDefaults(command)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everyOwnCommand")
    void everyCommandHasHelpAndExplainsItselfInTheListOfItsParent(CommandLine command) {
        LabRun run = LabRun.of(CommandHelp.wordsForHelp(command));
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).startsWith("Usage: ");
    }

    @ParameterizedTest
    @EnumSource
    void aProgramWithoutHelpIsExplainedAndNotStarted(Program program) {
        assumeFalse(program.hasHelp());
        LabRun run = LabRun.of(Stream.of(program.parent(), program.word(), "--help")
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new));
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out().replaceAll("\\s+", " ")).startsWith("Usage: lab ").contains(program.word(), "Words: ");
    }

    @Test
    void defaultsOfTheMountAreThoseOfTheMount() {
        Map<String, Option<?>> options = Map.<String, Option<?>>of(
                "--seal-after", PackOptions.SEAL_AFTER,
                "--blob-max", PackOptions.BLOB_MAX_BYTES,
                "--durability", BdtOptions.DURABILITY,
                "--policy", PackOptions.POLICY);
        CommandLine.Model.CommandSpec demo = Objects.requireNonNull(
                        LabCommand.commandLine().getSubcommands().get("demo"))
                .getCommandSpec();
        options.forEach((flag, option) -> assertThat(demo.findOption(flag).description()[0])
                .contains(option.key() + ", " + option.defaultText() + " by default"));
    }

    @Test
    void theLaboratoryHasItsFiveKindsOfCommands() {
        assertThat(LabCommand.commandLine().getSubcommands())
                .containsKeys("experiment", "bench", "chaos", "fuzz", "demo");
        assertThat(LabRun.of("--help").out()).contains("experiment", "bench", "chaos", "fuzz", "demo");
    }
}
