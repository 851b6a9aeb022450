// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A test that the table of papers has each of their figures and tables, and commands that exist. */
class DocPapersTest {
    private static final List<String> COLUMNS =
            List.of("paper", "item", "command", "paper's value", "ours", "kind", "verdict", "reason");
    private static final Set<String> VERDICTS =
            Set.of("reproduced", "differs", "identity", "input", "fitted", "circular", "no number", "not done");
    private static final String NONE = "–";

    /** The number of figures, and the names of tables, by paper. */
    private static final Map<String, List<String>> ITEMS = Map.of(
            "Packing", items(figures("", 4), "Table 1"),
            "ANViL", items(figures("", 4), "Table 1"),
            "TotalCOW", items(figures("", 8)),
            "DupHunter", items(figures("", 28), "Table 1", "Table 2", "Table 3"),
            "Messages (chapter 3)", items(figures("3.", 20), "Table 3.1", "Table 3.2", "Table 3.3"),
            "HelloBench, Slacker", items(Stream.concat(figures("4.", 14), figures("5.", 11)), "Table 4.1", "Table 4.2"),
            "iBench (chapter 2)", items(figures("2.", 32), "Table 2.1", "Table 2.2"));

    private record Row(List<String> cells) {
        String cell(String column) {
            return cells.get(COLUMNS.indexOf(column));
        }

        /** Returns the figure or table, of which the row may have a part. */
        String item() {
            return cell("item").replaceFirst(",.*", "");
        }
    }

    private static List<Row> rows = List.of();

    private static Stream<String> figures(String chapter, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(number -> "Figure " + chapter + number);
    }

    private static List<String> items(Stream<String> figures, String... tables) {
        return Stream.concat(figures, Stream.of(tables)).toList();
    }

    @BeforeAll
    static void read() throws IOException {
        List<List<String>> table = DocPage.read("docs/papers.md").prose().stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> Arrays.stream(
                                line.substring(2).replaceFirst(" *\\|$", "").split(" \\| ?", -1))
                        .map(String::strip)
                        .toList())
                .filter(cells -> cells.size() == COLUMNS.size())
                .toList();
        assertThat(table.get(0)).isEqualTo(COLUMNS);
        rows = table.stream().skip(1).map(Row::new).toList();
    }

    @Test
    void everyFigureAndTableOfThePapersIsARow() {
        Map<String, Set<String>> found = rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.cell("paper"), Collectors.mapping(Row::item, Collectors.toSet())));
        assertThat(found.keySet()).isEqualTo(ITEMS.keySet());
        ITEMS.forEach((paper, items) -> assertThat(found.get(paper)).as(paper).isEqualTo(new TreeSet<>(items)));
    }

    @Test
    void aRowHasACommandOrNobodyHasDoneIt() {
        assertThat(rows).allSatisfy(row -> {
            assertThat(VERDICTS).contains(row.cell("verdict"));
            if (row.cell("command").equals(NONE)) {
                assertThat(row.cell("verdict")).isEqualTo("not done");
            }
            if (row.cell("verdict").equals("not done") || row.cell("verdict").equals("differs")) {
                assertThat(row.cell("reason")).isNotBlank();
            }
            assertThat(row.cell("ours").equals(NONE))
                    .isEqualTo(row.cell("verdict").equals("not done"));
        });
    }

    @Test
    void everyCommandExistsAndACheckHasClaimsToCheck() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Row row : rows) {
            String command = row.cell("command").replace("`", "");
            if (command.equals(NONE)) {
                continue;
            }
            List<String> words = List.of(command.split(" ", -1));
            if (words.get(0).equals("bin/packing")) {
                problems.addAll(problems(words.subList(1, words.size())));
            } else if (!words.get(0).equals("bin/lab")) {
                // LabDocumentationTest has the commands of the laboratory.
                problems.add("no program of the project: " + command);
            }
        }
        assertThat(problems).isEmpty();
    }

    private static List<String> problems(List<String> words) throws IOException {
        String[] called = words.toArray(String[]::new);
        try {
            CommandLine.ParseResult unused = Main.commandFor(called).parseArgs(called);
        } catch (ParameterException e) {
            return List.of("%s: %s".formatted(words, e.getMessage()));
        }
        List<String> problems = new ArrayList<>();
        for (String word : words) {
            Path file = DocPage.root().resolve(word);
            if (word.startsWith("conf/") && !Files.isRegularFile(file)) {
                problems.add("there is no " + word);
            } else if (word.startsWith("conf/")
                    && words.contains("--check")
                    && !Files.readString(file).contains("\nclaims = [")) {
                problems.add(word + " has no claims to check");
            }
        }
        return problems;
    }
}
