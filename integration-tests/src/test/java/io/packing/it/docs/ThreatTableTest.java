// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that each row of docs/threats.md names existing tests, and that each actor and door of the page has a row. */
class ThreatTableTest {
    private static final Pattern CELLS = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");
    private static final Set<String> ACTORS = Set.of(
            "stranger",
            "reader",
            "writer",
            "worker",
            "operator",
            "registry user",
            "cluster user",
            "local user",
            "bucket owner");

    /** A row: the actor, its place or means, its limits, and the tests that hold them. */
    private record Threat(String actor, String door, String cannot, List<String> tests) {}

    private static List<Threat> threats() throws IOException {
        List<Threat> threats = new ArrayList<>();
        for (String line : DocPage.read("docs/threats.md").prose()) {
            List<String> cells =
                    Stream.of(CELLS.split(line.strip(), -1)).map(String::strip).toList();
            boolean isRow = cells.size() == 6
                    && !cells.get(1).equals("who")
                    && !cells.get(1).startsWith("--");
            if (isRow) {
                List<String> tests = TEST.matcher(cells.get(4))
                        .results()
                        .map(found -> found.group(1) + "." + found.group(2))
                        .toList();
                threats.add(new Threat(cells.get(1), cells.get(2), cells.get(3), tests));
            }
        }
        return threats;
    }

    /** Returns the sources of the test classes by their names. */
    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(DocPage.root())) {
            for (Path file : files.filter(each -> each.toString().contains("src/test/java/")
                            && each.toString().endsWith(".java"))
                    .toList()) {
                String name = file.getFileName().toString();
                sources.merge(
                        name.substring(0, name.length() - ".java".length()), Files.readString(file), String::concat);
            }
        }
        return sources;
    }

    @Test
    void eachRowSaysWhoIsWhereAndWhatTheyCannotDo() throws IOException {
        List<Threat> threats = threats();
        assertThat(threats).hasSizeGreaterThan(40);
        for (Threat each : threats) {
            assertThat(each.door()).as("%s", each).isNotEmpty();
            assertThat(each.cannot()).as("%s", each).isNotEmpty();
            assertThat(Stream.of(each.actor().split(", ")).toList())
                    .as("%s", each)
                    .isSubsetOf(ACTORS);
        }
        Set<String> actors = threats.stream()
                .flatMap(each -> Stream.of(each.actor().split(", ")))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(actors).as("actors of the table").containsExactlyInAnyOrderElementsOf(ACTORS);
    }

    @Test
    void eachRowNamesTestsThatExist() throws IOException {
        Map<String, String> sources = testSources();
        List<String> missing = new ArrayList<>();
        for (Threat each : threats()) {
            assertThat(each.tests()).as("tests of %s", each).isNotEmpty();
            for (String test : each.tests()) {
                int dot = test.indexOf('.');
                String source = sources.getOrDefault(test.substring(0, dot), "");
                boolean exists = Pattern.compile("@\\w*Test(?:Factory)?\\b[^;]*?(?:\\bvoid|>) "
                                + Pattern.quote(test.substring(dot + 1)) + "\\(")
                        .matcher(source)
                        .find();
                if (!exists) {
                    missing.add(test);
                }
            }
        }
        assertThat(missing).as("tests that no class has").isEmpty();
    }
}
