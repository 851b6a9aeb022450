package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Tests of the help of every command, option and argument, and of {@code --version}. */
class HelpTest {
    /** Words after which a sentence goes on. */
    private static final Set<String> CONNECTIVES = Set.of(
            "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "its", "of", "on", "once", "or",
            "that", "the", "their", "to", "was", "when", "which", "whose", "with");

    private static final Pattern SHOWN_DEFAULT = Pattern.compile("\\(default: ([^,;)]+)");
    /** Picocli's own texts. */
    private static final Set<String> INHERITED = Set.of("--help", "--version");

    private static Stream<CommandLine> everyCommand() {
        List<CommandLine> all = new ArrayList<>();
        collect(Main.commandLine(), all);
        return all.stream().filter(command -> !command.getCommandName().equals("help"));
    }

    private static void collect(CommandLine command, List<CommandLine> all) {
        all.add(command);
        command.getSubcommands().values().forEach(sub -> collect(sub, all));
    }

    private static void isWhole(String where, String text) {
        assertThat(text).as(where).isNotBlank().doesNotContain("$").matches("(?s).*[.]");
        assertThat(text.chars().filter(c -> c == '(').count())
                .as("parentheses of %s", where)
                .isEqualTo(text.chars().filter(c -> c == ')').count());
        String[] words = text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1);
        assertThat(CONNECTIVES).as("last word of %s", where).doesNotContain(words[words.length - 1]);
    }

    /** The arguments that people see. */
    private static List<ArgSpec> arguments(CommandLine command) {
        return command.getCommandSpec().args().stream()
                .filter(arg -> !(arg instanceof OptionSpec option) || !INHERITED.contains(option.longestName()))
                .toList();
    }

    private static String name(CommandLine command, ArgSpec arg) {
        return command.getCommandSpec().qualifiedName() + " "
                + (arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel());
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void everyDescriptionIsWholeSentences(CommandLine command) {
        CommandLine.Model.UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        assertThat(usage.description()).isNotEmpty();
        for (String line : usage.description()) {
            isWhole(command.getCommandSpec().qualifiedName(), line);
        }
        for (ArgSpec arg : arguments(command)) {
            assertThat(arg.description())
                    .as("%s is one text, which is wrapped to the terminal", name(command, arg))
                    .hasSize(1);
            isWhole(name(command, arg), arg.renderedDescription()[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void everyDefaultIsShownAsItIs(CommandLine command) {
        for (ArgSpec arg : arguments(command)) {
            String text = arg.renderedDescription()[0];
            boolean flag = arg instanceof OptionSpec option && option.arity().max() == 0;
            if (arg.defaultValue() == null || flag) {
                assertThat(arg.description()[0]).as(name(command, arg)).doesNotContain("DEFAULT-VALUE");
                continue;
            }
            assertThat(text)
                    .as("%s names its default", name(command, arg))
                    .containsAnyOf("default", arg.defaultValue());
            Matcher shown = SHOWN_DEFAULT.matcher(text);
            if (!text.contains("(default: " + arg.defaultValue())
                    && shown.find()
                    && !shown.group(1).equals(arg.defaultValue())) {
                assertThat(IN_WORDS).as(name(command, arg)).containsEntry(shown.group(1), arg.defaultValue());
            }
        }
    }

    /** Defaults that are easier to read in words. */
    private static final Map<String, String> IN_WORDS = Map.of("8.3 days", "11952min", "all", "-1", "a free one", "0");

    @Test
    void everyExitCodeIsExplained() {
        Map<String, String> codes =
                Main.commandLine().getCommandSpec().usageMessage().exitCodeList();
        assertThat(codes.keySet().stream().map(String::strip)).containsExactly("0", "1", "2", "3", "4", "5", "6");
        assertThat(codes.values()).allSatisfy(text -> {
            String[] words = text.split(" ", -1);
            assertThat(CONNECTIVES).as(text).doesNotContain(words[words.length - 1]);
        });
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void everyCommandHasHelpAndExplainsItselfInTheListOfItsParent(CommandLine command) {
        List<String> words = new ArrayList<>(
                Arrays.asList(command.getCommandSpec().qualifiedName().split(" ")));
        words.remove(0);
        words.add("--help");
        CommandRun run = CommandRun.of(words.toArray(String[]::new));
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).startsWith("Usage: ");
    }

    /** A call describes only the command that it runs. */
    @ParameterizedTest
    @MethodSource("everyCommand")
    void aCommandIsTheSameWithoutTheOthersBesideIt(CommandLine command) {
        List<String> names = List.of(command.getCommandSpec().qualifiedName().split(" "));
        if (names.size() < 2) {
            return;
        }
        CommandLine alone = Main.commandFor(names.get(1));
        assertThat(alone.getSubcommands()).hasSize(1);
        for (String name : names.subList(1, names.size())) {
            alone = Objects.requireNonNull(alone.getSubcommands().get(name));
        }
        assertThat(alone.getUsageMessage()).isEqualTo(command.getUsageMessage());
        assertThat(alone.getCommandSpec().version())
                .isEqualTo(command.getCommandSpec().version());
    }

    @Test
    void whatIsNoCommandIsToldWithAllThatThereAre() {
        assertThat(Main.commandFor("fsk").getSubcommands()).hasSizeGreaterThan(30);
        assertThat(Main.commandFor("help").getSubcommands()).hasSizeGreaterThan(30);
        assertThat(Main.commandFor("--verbose", "fsck").getSubcommands()).hasSizeGreaterThan(30);
        assertThat(Main.commandFor(new String[0]).getSubcommands()).hasSizeGreaterThan(30);
    }

    @Test
    void theVersionIsTheBuilds() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        String version = pom.replaceAll("(?s).*?<version>(.*?)</version>.*", "$1");
        CommandRun run = CommandRun.of("--version");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).isEqualToIgnoringNewLines("packing " + version);
        assertThat(CommandRun.of("bdt", "ls", "--version").out()).isEqualTo(run.out());
    }
}
