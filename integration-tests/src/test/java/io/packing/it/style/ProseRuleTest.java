// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The plainness of the prose: the sentences of each module that have to be decoded may become fewer, and never more.
 * {@code -Dpacking.prose.lower=true} writes the lower counts into the file.
 */
class ProseRuleTest {
    private static final Path COUNTS = Path.of("src/test/resources/prose.properties");
    private static final String PAGES = "docs";

    /** The faults of each module, each as a line for the reader. */
    private static Map<String, List<String>> faults() throws IOException {
        Map<String, List<String>> faults = new TreeMap<>();
        for (JavaSource source : ProjectSources.all()) {
            add(faults, source.module(), source.path(), Sentence.ofJava(source.text()));
        }
        Path root = ProjectSources.root();
        List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md"), root.resolve("CONTRIBUTING.md")));
        try (Stream<Path> walk = Files.walk(root.resolve("docs"))) {
            pages.addAll(walk.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList());
        }
        for (Path page : pages) {
            add(faults, PAGES, root.relativize(page).toString(), Sentence.ofMarkdown(Files.readString(page)));
        }
        return faults;
    }

    private static void add(Map<String, List<String>> faults, String module, String path, List<Sentence> sentences) {
        List<String> of = faults.computeIfAbsent(module, key -> new ArrayList<>());
        for (Sentence sentence : sentences) {
            List<ProseFault> found = ProseFault.of(sentence);
            if (!found.isEmpty()) {
                of.add("%s:%d %s: %s".formatted(path, sentence.line(), found, sentence.text()));
            }
        }
    }

    private static Map<String, Integer> allowed() throws IOException {
        Properties properties = new Properties();
        try (Stream<String> lines = Files.lines(COUNTS)) {
            properties.load(new StringReader(String.join("\n", lines.toList())));
        }
        Map<String, Integer> allowed = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> allowed.put(key, Integer.valueOf(properties.getProperty(key))));
        return allowed;
    }

    @Test
    void noModuleHasMoreSentencesToDecodeThanBefore() throws IOException {
        Map<String, Integer> allowed = allowed();
        Map<String, List<String>> faults = faults();
        if (Boolean.getBoolean("packing.prose.lower")) {
            lower(allowed, faults);
        }
        List<String> worse = new ArrayList<>();
        faults.forEach((module, lines) -> {
            int most = allowed.getOrDefault(module, 0);
            if (lines.size() > most) {
                worse.add("%s: %d sentences, at most %d of before: write yours plainer. All of them:%n  %s"
                        .formatted(module, lines.size(), most, String.join("\n  ", lines)));
            }
        });
        assertThat(worse).isEmpty();
    }

    private static void lower(Map<String, Integer> allowed, Map<String, List<String>> faults) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "# How many sentences of a module have to be decoded (ProseRuleTest). A number may fall, and never rises:",
                "# bin/test ProseRuleTest -Dpacking.prose.lower=true writes the lower ones."));
        faults.forEach((module, found) -> {
            int count = Math.min(found.size(), allowed.getOrDefault(module, 0));
            if (count > 0) {
                lines.add(module + " = " + count);
            }
        });
        Files.write(COUNTS, lines);
    }

    private static List<ProseFault> faultsOf(String source) {
        return Sentence.ofJava(source).stream()
                .flatMap(sentence -> ProseFault.of(sentence).stream())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** Whether the file exists. */",
                "/**\n * What the worker keeps. It is small.\n */",
                "/** Of a file, the first bytes. */",
                "/** The same, for a directory. */",
                "/** It waits. */"
            })
    void anUnclearHeadIsFound(String source) {
        assertThat(faultsOf(source)).contains(ProseFault.UNCLEAR_HEAD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "// Nobody reads this.",
                "/** Returns the file. The master is told. */",
                "// The reader comes\n// to be ready, and somebody waits."
            })
    void anActorWithoutARoleIsFound(String source) {
        assertThat(faultsOf(source)).containsExactly(ProseFault.ACTOR_WITHOUT_ROLE);
    }

    @Test
    void invertedAndNestedAndLongSentencesAreFound() {
        assertThat(faultsOf("// Of a file the first block is read.")).containsExactly(ProseFault.INVERTED);
        assertThat(faultsOf("// The file whose bytes are what is open."))
                .containsExactly(ProseFault.CLAUSE_IN_A_CLAUSE);
        assertThat(faultsOf("// " + "word ".repeat(38) + "end.")).containsExactly(ProseFault.TOO_LONG);
        assertThat(faultsOf("// " + "word ".repeat(37) + "end.")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** Returns whether the file exists. */",
                "/** A file. Whether it exists is the store's. */",
                "/** A file.\n * @param name What it is called\n */",
                "String s = \"nobody\"; int what;",
                "/** A table.\n * <pre>\n * 0 what nobody reads\n * </pre>\n */",
                "/** The {@code Whether} of a file. */"
            })
    void plainProseAndCodeAreNot(String source) {
        assertThat(faultsOf(source)).isEmpty();
    }

    @Test
    void aPageIsReadWithoutItsCode() {
        assertThat(Sentence.ofMarkdown("# Head\n\nOne line\nand more. Two.\n```\ncode.\n```\n- an item\n| a | b |\n"))
                .extracting(Sentence::text)
                .containsExactly("One line and more.", "Two.", "an item", "a", "b");
    }
}
