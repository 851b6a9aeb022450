// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that each decision is whole, and that the list of {@code bin/decisions} has all of them. */
class DocDecisionsTest {
    private static final Pattern NAME = Pattern.compile("(\\d{4})-[a-z0-9-]+\\.md");
    private static final Pattern HEAD =
            Pattern.compile("Date: \\d{4}-\\d{2}-\\d{2}[^·]* · Status: [^·]+ · Area: ([^·]+)");
    private static final Pattern ENTRY = Pattern.compile("\\*\\*.+\\*\\*|- \\[.+]\\(.+\\)");

    private static Path folder() {
        return DocPage.root().resolve("docs/decisions");
    }

    private static List<Path> decisions() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(file -> !name(file).equals("README.md"))
                    .sorted()
                    .toList();
        }
    }

    private static String name(Path file) {
        return Objects.requireNonNull(file.getFileName()).toString();
    }

    @Test
    void theListHasEveryDecisionBelowItsArea() throws IOException {
        Map<String, List<String>> areas = new LinkedHashMap<>();
        for (Path file : decisions()) {
            List<String> lines = Files.readAllLines(file);
            Matcher head = HEAD.matcher(lines.get(1));
            assertThat(head.matches()).as(file + ": " + lines.get(1)).isTrue();
            areas.computeIfAbsent(head.group(1), area -> new ArrayList<>())
                    .add("- [%s](%s)".formatted(lines.get(0).substring(2), name(file)));
        }
        List<String> wanted = new ArrayList<>();
        areas.forEach((area, entries) -> {
            wanted.add("**%s**".formatted(area));
            wanted.addAll(entries);
        });
        assertThat(Files.readAllLines(folder().resolve("README.md")))
                .as("run bin/decisions")
                .filteredOn(ENTRY.asMatchPredicate())
                .isEqualTo(wanted);
    }

    @Test
    void everyDecisionHasANumberOfItsOwn() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (Path file : decisions()) {
            Matcher name = NAME.matcher(name(file));
            assertThat(name.matches()).as(file.toString()).isTrue();
            numbers.add(Integer.parseInt(name.group(1)));
        }
        assertThat(numbers).hasSizeGreaterThan(100).doesNotHaveDuplicates();
    }

    @Test
    void everyDecisionHasItsReasons() throws IOException {
        for (Path file : decisions()) {
            String text = Files.readString(file);
            assertThat(text).as(file.toString()).startsWith("# ").contains("**Context.**", "**Decision.**");
        }
    }
}
