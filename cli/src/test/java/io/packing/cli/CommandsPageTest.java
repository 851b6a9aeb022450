// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests of the groups of commands, and of the page that is made from the commands. */
class CommandsPageTest {
    private static final Path PAGE = Path.of("../docs/commands.md");

    private static Set<String> visible() {
        return Main.commandLine().getSubcommands().values().stream()
                .filter(each -> !each.getCommandSpec().usageMessage().hidden())
                .map(CommandLine::getCommandName)
                .collect(Collectors.toSet());
    }

    @Test
    void everyCommandIsInOneGroupWithALineOfAtMostSeventyCharacters() {
        List<String> grouped = CommandGroups.ALL.stream()
                .flatMap(group -> group.lines().keySet().stream())
                .toList();
        assertThat(grouped).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(visible());
        for (CommandGroups group : CommandGroups.ALL) {
            group.lines()
                    .forEach((name, line) -> assertThat(line)
                            .as(name)
                            .hasSizeLessThanOrEqualTo(CommandGroups.LONGEST)
                            .endsWith("."));
        }
    }

    @Test
    void helpShowsTheGroupsWithinEightyFiveColumns() {
        String help = CommandRun.of("--help").out();
        assertThat(help)
                .contains("Daemons:", "Files:", "Operations:", "Containers:", "Traces:", "Models:")
                .contains("  ls          Lists a directory.")
                .doesNotContain("  bdt ");
        assertThat(CommandRun.of("trace", "--help").out())
                .contains("Commands:", "  record")
                .doesNotContain("Daemons:");
    }

    /** {@code -Dpacking.commands.write=true} writes the page. */
    @Test
    void thePageOfCommandsIsThatOfTheProgram() throws IOException {
        String page = CommandsPage.of(Main.commandLine());
        if (Boolean.getBoolean("packing.commands.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE))
                .as("docs/commands.md is older than the program: run this test with -Dpacking.commands.write=true")
                .isEqualTo(page);
        for (String name : visible()) {
            if (!name.equals("help")) {
                assertThat(page).contains("### packing %s\n".formatted(name));
            }
        }
        assertThat(Objects.requireNonNull(Main.commandLine().getSubcommands().get("bdt"))
                        .getCommandSpec()
                        .usageMessage()
                        .hidden())
                .isTrue();
    }
}
