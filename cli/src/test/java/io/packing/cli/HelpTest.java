// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.help.CommandHelp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Tests of the help of every command, option and argument, and of {@code --version}. */
class HelpTest {
    private static Stream<CommandLine> everyCommand() {
        return CommandHelp.withSubcommands(Main.commandLine());
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

    @Test
    void everyExitCodeIsExplained() {
        Map<String, String> codes =
                Main.commandLine().getCommandSpec().usageMessage().exitCodeList();
        assertThat(codes.keySet().stream().map(String::strip)).containsExactly("0", "1", "2", "3", "4", "5", "6");
        assertThat(codes.values()).noneMatch(CommandHelp::endsOpen);
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void everyCommandHasHelpAndExplainsItselfInTheListOfItsParent(CommandLine command) {
        CommandRun run = CommandRun.of(CommandHelp.wordsForHelp(command));
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).startsWith("Usage: ");
    }

    /** A call describes only the command that it runs. */
    @ParameterizedTest
    @MethodSource("everyCommand")
    void aCommandIsTheSameWithoutTheOthersBesideIt(CommandLine command) {
        List<String> names = List.of(command.getCommandSpec().qualifiedName().split(" "));
        if (names.size() < 2) {
            return;
        }
        CommandLine alone = Main.commandFor(names.get(1));
        assertThat(Set.copyOf(alone.getSubcommands().values()))
                .as("one command, perhaps with another name")
                .hasSize(1);
        for (String name : names.subList(1, names.size())) {
            alone = Objects.requireNonNull(alone.getSubcommands().get(name));
        }
        assertThat(alone.getUsageMessage()).isEqualTo(command.getUsageMessage());
        assertThat(alone.getCommandSpec().version())
                .isEqualTo(command.getCommandSpec().version());
    }

    @Test
    void whatIsNoCommandIsToldWithAllThatThereAre() {
        assertThat(Main.commandFor("fsk").getSubcommands()).hasSizeGreaterThan(30);
        assertThat(Main.commandFor("help").getSubcommands()).hasSizeGreaterThan(30);
        assertThat(Main.commandFor("--verbose", "fsck").getSubcommands()).hasSizeGreaterThan(30);
        assertThat(Main.commandFor(new String[0]).getSubcommands()).hasSizeGreaterThan(30);
    }

    @Test
    void theVersionIsTheBuilds() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        String version = pom.replaceAll("(?s).*?<version>(.*?)</version>.*", "$1");
        CommandRun run = CommandRun.of("--version");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).isEqualToIgnoringNewLines("packing " + version);
        assertThat(CommandRun.of("bdt", "ls", "--version").out()).isEqualTo(run.out());
    }
}
