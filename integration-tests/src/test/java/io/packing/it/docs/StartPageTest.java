// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A new user's first ten minutes: a mount, a file in it, read, and found in the store. {@code StartPageIT} runs the commands. */
class StartPageTest {
    private static final int MOST_COMMANDS = 6;
    private static final int LONGEST = 80;

    @Test
    void aFileIsInTheStoreAfterSixShortCommands() throws IOException {
        List<String> commands = DocPage.read("docs/start.md").blocks().stream()
                .filter(block -> block.isShell() && block.heading().equals("a-mount-a-file-a-blob"))
                .flatMap(block -> block.text().lines())
                .toList();
        assertThat(commands).hasSizeBetween(1, MOST_COMMANDS);
        assertThat(commands).allMatch(command -> command.length() <= LONGEST);
        assertThat(String.join("\n", commands))
                .contains(
                        "packing bdt-master",
                        "mounts create",
                        "packing worker",
                        "packing put",
                        "packing cat",
                        "store/blobs");
    }

    @Test
    void thePageNamesNoFileOfArgumentsBeforeItsServices() throws IOException {
        assertThat(DocPage.read("docs/start.md").blocks().stream()
                        .filter(block -> !block.heading().equals("settings"))
                        .map(DocBlock::text))
                .noneMatch(text -> text.contains(".args"));
    }
}
