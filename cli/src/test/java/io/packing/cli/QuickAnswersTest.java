// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Answers that the command gives without loading all commands: they are those that it gives otherwise. */
class QuickAnswersTest {
    @Test
    void theVersionIsThatOfTheWholeCommand() {
        StringWriter out = new StringWriter();
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out, true));
        assertThat(line.execute("--version")).isZero();
        assertThat(out.toString().strip()).isEqualTo(ProgramVersion.line());
    }

    @Test
    void itsFlagsAreThoseOfTheWholeCommand() {
        OptionSpec option = Main.commandLine().getCommandSpec().findOption("--version");
        assertThat(option.versionHelp()).isTrue();
        assertThat(ProgramVersion.FLAGS).containsExactlyInAnyOrder(option.names());
    }

    @Test
    void theDaemonsAreThoseThatHaveOptions() {
        assertThat(DaemonLine.DAEMONS)
                .containsExactlyInAnyOrderElementsOf(
                        Daemon.ALL.stream().map(Daemon::command).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bdt-master",
                "worker --id w",
                "registry @file",
                "registry --help",
                "registry users",
                "bdt ls",
                ""
            })
    void aCommandLineRunsADaemonOrNone(String line) {
        List<String> words = Arrays.stream(line.split(" ", -1))
                .filter(word -> !word.isEmpty())
                .toList();
        boolean runs = List.of("bdt-master", "worker --id w", "registry @file").contains(line);
        assertThat(DaemonLine.of(words)).isEqualTo(runs ? Optional.of(words.get(0)) : Optional.empty());
        assertThat(Daemon.runBy(words).map(Daemon::command)).isEqualTo(DaemonLine.of(words));
    }
}
