// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** A test that every block of the documentation has a kind, and that every command in it exists. */
class DocBlocksTest {
    private static final Set<String> LANGUAGES =
            Set.of("shell", "text", "conf", "json", "xml", "properties", "java", "scala", "mermaid", "toml", "python");
    private static final Pattern COMMAND = Pattern.compile("`(?:bin/)?packing ([a-z][^`]*)`");
    /** Aliases of {@code bin/lab}, whose commands {@code LabDocumentationTest} looks for. */
    private static final Pattern LABORATORY =
            Pattern.compile("(?:demo|experiment|bench|multimake|chaos|trace demo)\\b.*");

    private static final Pattern TEST = Pattern.compile("\\b[A-Z]\\w+(?:Test|IT)\\b");
    private static final Pattern STARTS_A_COMMAND = Pattern.compile(
            "(?m)^ *(?:bin/packing|bin/lab|packing [a-z]|(?:mvn|alluxio|hadoop|spark-submit|spark-shell|systemctl)\\b).*");

    private static List<DocPage> pages = List.of();
    private static List<DocBlock> blocks = List.of();

    @BeforeAll
    static void read() throws IOException {
        pages = DocPage.all();
        blocks = pages.stream().flatMap(page -> page.blocks().stream()).toList();
    }

    private static List<String> of(Stream<String> problems) {
        return problems.toList();
    }

    @Test
    void aBlockSaysWhatItIsBehindItsFence() {
        assertThat(of(blocks.stream()
                        .filter(block -> !LANGUAGES.contains(block.language()))
                        .map(block -> "%s: '%s' is none of %s".formatted(block, block.language(), LANGUAGES))))
                .isEmpty();
    }

    @Test
    void aPageWithCommandsHasAClassThatRunsThem() {
        assertThat(of(pages.stream()
                        .filter(page -> page.blocks().stream().anyMatch(block -> block.is(Mark.Kind.RUN)))
                        .map(page -> PageCommands.classFor(page.name()))
                        .filter(name -> !Files.exists(
                                Path.of("src/test/java/io/packing/it/docs").resolve(name + ".java")))))
                .isEmpty();
    }

    @Test
    void aBlockOfCommandsSaysHowItIsRunOrWhyNot() {
        assertThat(of(blocks.stream()
                        .filter(DocBlock::isShell)
                        .filter(block -> !block.is(Mark.Kind.RUN) && !block.is(Mark.Kind.NOT_RUN))
                        .map(block -> block + ": wants <!-- run --> or <!-- not run: WHY --> above it")))
                .isEmpty();
    }

    @Test
    void nothingElseHidesCommands() {
        assertThat(of(blocks.stream()
                        .filter(block -> !block.isShell() && !block.language().equals("mermaid"))
                        .filter(block -> STARTS_A_COMMAND.matcher(block.text()).find())
                        // It has the usage of each command as the program prints it, and CommandsPageTest compares it.
                        .filter(block -> !block.toString().startsWith("docs/commands.md:"))
                        .map(block -> block + ": has commands and is not 'shell'")))
                .isEmpty();
    }

    @Test
    void marksAreWellFormedAndStandAboveBlocks() {
        assertThat(of(blocks.stream()
                        .filter(block -> block.mark().isPresent())
                        .filter(block -> !block.mark().get().problem().isEmpty())
                        .map(block -> block + ": " + block.mark().get().problem())))
                .isEmpty();
        for (DocPage page : pages) {
            long marks = page.prose().stream()
                            .flatMap(line -> Mark.in(line).stream())
                            .count()
                    - (page.continues().isEmpty() ? 0 : 1);
            assertThat(page.blocks().stream().filter(block -> block.mark().isPresent()))
                    .as("blocks of %s with a mark, and its marks", page.name())
                    .hasSize((int) marks);
        }
    }

    /** A block that its page does not run names a test instead, and that test must exist. */
    @Test
    void everyTestThatAReasonNamesExists() throws IOException {
        Set<String> tests;
        try (Stream<Path> files = Files.walk(DocPage.root())) {
            tests = files.filter(file -> file.toString().contains("src/test/java/"))
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
        assertThat(of(blocks.stream()
                        .filter(block -> block.is(Mark.Kind.NOT_RUN))
                        .flatMap(block -> TEST.matcher(
                                        block.mark().orElseThrow().words())
                                .results()
                                .filter(test -> !tests.contains(test.group()))
                                .map(test -> "%s: there is no %s".formatted(block, test.group())))))
                .isEmpty();
    }

    @Test
    void whatAPageContinuesIsThere() throws IOException {
        for (DocPage page : pages) {
            for (String section : page.continues()) {
                assertThat(DocSections.blocks(section))
                        .as("%s: %s", page.name(), section)
                        .isNotEmpty();
            }
        }
    }

    @Test
    void everyCommandLineIsTakenByTheCommand() {
        Map<String, List<String>> files = argumentFiles();
        List<String> problems = new ArrayList<>();
        for (DocBlock block : blocks) {
            if (block.isShell()) {
                for (List<String> command : ShellLines.commands(block.text())) {
                    problem(command, files).ifPresent(why -> problems.add("%s: %s: %s".formatted(block, command, why)));
                }
            }
        }
        assertThat(problems).isEmpty();
    }

    /** Returns the files of arguments that the pages write, by their names. */
    private static Map<String, List<String>> argumentFiles() {
        Map<String, List<String>> files = new HashMap<>();
        for (DocBlock block : blocks) {
            if (block.is(Mark.Kind.FILE) && block.mark().orElseThrow().words().endsWith(".args")) {
                files.put(
                        block.mark().orElseThrow().words(),
                        ShellLines.commands(block.text()).stream()
                                .flatMap(List::stream)
                                .toList());
            }
        }
        return files;
    }

    private static Optional<String> problem(List<String> command, Map<String, List<String>> files) {
        String program = command.get(0);
        if (!program.equals("bin/packing") && !program.equals("packing")) {
            return Optional.empty();
        }
        if (LABORATORY
                .matcher(String.join(" ", command.subList(1, command.size())))
                .matches()) {
            return Optional.empty();
        }
        List<String> words = new ArrayList<>();
        for (String word : command.subList(1, command.size())) {
            if (word.startsWith("@") && !files.containsKey(word.substring(1))) {
                return Optional.of("no page writes the file " + word.substring(1));
            }
            words.addAll(word.startsWith("@") ? files.get(word.substring(1)) : List.of(word));
        }
        try {
            String[] called = words.toArray(String[]::new);
            CommandLine.ParseResult unused = Main.commandFor(called).parseArgs(called);
            return Optional.empty();
        } catch (MissingParameterException e) {
            // A configuration file has the missing parameter.
            return words.contains("--config") ? Optional.empty() : message(e);
        } catch (ParameterException e) {
            return message(e);
        }
    }

    private static Optional<String> message(ParameterException e) {
        return Optional.of(String.valueOf(e.getMessage()));
    }

    /** A sentence such as {@code `bin/packing snapshot create /a`} must name existing commands. */
    @Test
    void everyCommandThatASentenceNamesExists() {
        CommandLine packing = Main.commandLine();
        List<String> problems = new ArrayList<>();
        for (DocPage page : pages) {
            for (int i = 0; i < page.prose().size(); i++) {
                int line = i + 1;
                COMMAND.matcher(page.prose().get(i)).results().forEach(found -> {
                    if (LABORATORY.matcher(found.group(1)).matches()) {
                        return;
                    }
                    CommandLine at = packing;
                    for (String word : found.group(1).split(" ", -1)) {
                        if (at.getSubcommands().isEmpty() || !word.matches("[a-z][a-z-]+")) {
                            return;
                        }
                        CommandLine below = at.getSubcommands().get(word);
                        if (below == null) {
                            problems.add("%s:%d: there is no command '%s' of '%s'"
                                    .formatted(
                                            page.name(),
                                            line,
                                            word,
                                            at.getCommandSpec().qualifiedName()));
                            return;
                        }
                        at = below;
                    }
                });
            }
        }
        assertThat(problems).isEmpty();
    }
}
