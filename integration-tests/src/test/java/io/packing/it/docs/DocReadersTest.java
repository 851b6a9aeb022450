// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that each page tells its readers and the time that it takes, and that a reader's path is short. */
class DocReadersTest {
    private static final Pattern HEAD = Pattern.compile("For .+; (\\d+) minutes?\\.");
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final int WORDS_A_MINUTE = 230;

    /** Pages that another change writes anew. */
    private static final Set<String> WITHOUT =
            Set.of("start.md", "options.md", "commands.md", "chaos.md", "recover.md", "paths.md");

    @Test
    void aPageTellsItsReadersAndTheTimeThatItTakes() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Stream<Path> files = Files.list(DocPage.root().resolve("docs"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".md"))
                    .filter(each -> !WITHOUT.contains(each.getFileName().toString()))
                    .sorted()
                    .toList()) {
                String text = Files.readString(file);
                Matcher head = HEAD.matcher(text.lines().skip(2).findFirst().orElse(""));
                double minutes = (double) WORD.matcher(text).results().count() / WORDS_A_MINUTE;
                if (!head.matches() || Math.abs(Integer.parseInt(head.group(1)) - minutes) > 1 + minutes / 5) {
                    wrong.add("%s: %s, want 'For …; %.0f minutes.'"
                            .formatted(file.getFileName(), head.matches() ? head.group() : "no head", minutes));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void theReadmeIsOneScreen() throws IOException {
        String text = Files.readString(DocPage.root().resolve("README.md"));
        assertThat(text.lines().count()).isLessThanOrEqualTo(90);
        assertThat(WORD.matcher(text).results().count()).isLessThanOrEqualTo(600);
    }

    @Test
    void aReadersPathHasFivePagesAtMost() throws IOException {
        int longest = 0;
        for (String line : DocPage.read("docs/paths.md").prose()) {
            Matcher step = Pattern.compile("(\\d+)\\. .*").matcher(line);
            longest = step.matches() ? Math.max(longest, Integer.parseInt(step.group(1))) : longest;
        }
        assertThat(longest).isEqualTo(5);
    }
}
