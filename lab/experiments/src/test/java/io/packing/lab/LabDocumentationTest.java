// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Every command of the laboratory that a page of the documentation names is there, under its name or an alias of a launcher. */
class LabDocumentationTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern IN_A_SENTENCE = Pattern.compile("`((?:bin/)?(?:lab|bench|packing) [a-z][^`]*)`");
    private static final Pattern IN_A_BLOCK =
            Pattern.compile("(?m)^ *((?:bin/lab|bin/bench|bin/packing) [a-z][^#|&>\\n\\\\]*)");
    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9-]+");

    private record Line(String page, String command) {}

    private static List<Path> pages = List.of();

    @BeforeAll
    static void findPages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            pages = Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                                    .map(ROOT::resolve),
                            docs.filter(file -> file.toString().endsWith(".md")).sorted())
                    .toList();
        }
    }

    /** The words for {@code bin/lab} that stand for a command of any launcher; empty if it is none of the laboratory. */
    private static Optional<List<String>> words(String command) {
        List<String> typed = Arrays.asList(command.strip().split("\\s+", -1));
        List<String> rest = typed.subList(1, typed.size());
        String launcher = typed.get(0).replace("bin/", "");
        String first = rest.get(0);
        if (launcher.equals("lab")) {
            return Optional.of(rest);
        }
        List<String> words = new ArrayList<>(rest);
        if (launcher.equals("bench")) {
            if (first.equals("fuse-chaos")) {
                words.set(0, "fuse");
                words.add(0, "chaos");
            } else if (!first.equals("chaos") && !first.equals("fuzz")) {
                words.add(0, "bench");
            }
            return Optional.of(words);
        }
        if (first.equals("multimake")) {
            words.add(0, "bench");
            return Optional.of(words);
        }
        if (words.size() > 1 && first.equals("trace") && words.get(1).equals("demo")) {
            words.set(0, "demo");
            words.set(1, "trace");
            return Optional.of(words);
        }
        return List.of("demo", "experiment", "bench", "chaos").contains(first) ? Optional.of(words) : Optional.empty();
    }

    private static List<Line> lines(Pattern pattern) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Path page : pages) {
            for (MatchResult found :
                    pattern.matcher(Files.readString(page)).results().toList()) {
                lines.add(new Line(ROOT.relativize(page).toString(), found.group(1)));
            }
        }
        return lines;
    }

    @Test
    void everyCommandThatASentenceNamesExists() throws IOException {
        List<String> problems = new ArrayList<>();
        int seen = 0;
        for (Line line : lines(IN_A_SENTENCE)) {
            Optional<List<String>> words = words(line.command());
            if (words.isEmpty()) {
                continue;
            }
            seen++;
            CommandLine at = LabCommand.commandLine();
            for (String word : words.get()) {
                if (at.getSubcommands().isEmpty() || !WORD.matcher(word).matches()) {
                    break;
                }
                CommandLine below = at.getSubcommands().get(word);
                if (below == null) {
                    problems.add("%s: there is no '%s' in '%s'".formatted(line.page(), word, line.command()));
                    break;
                }
                at = below;
            }
        }
        assertThat(problems).isEmpty();
        assertThat(seen).as("commands of the laboratory in sentences").isGreaterThan(100);
    }

    @Test
    void everyCommandLineIsTakenByTheCommand() throws IOException {
        List<String> problems = new ArrayList<>();
        int seen = 0;
        for (Line line : lines(IN_A_BLOCK)) {
            Optional<List<String>> words = words(line.command());
            if (words.isPresent()) {
                seen++;
                try {
                    CommandLine.ParseResult unused =
                            LabCommand.commandLine().parseArgs(words.get().toArray(String[]::new));
                } catch (ParameterException e) {
                    problems.add("%s: %s: %s".formatted(line.page(), line.command(), e.getMessage()));
                }
            }
        }
        assertThat(problems).isEmpty();
        assertThat(seen).as("command lines of the laboratory").isGreaterThan(8);
    }
}
