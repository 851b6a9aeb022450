package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtOptions;
import io.packing.cli.ExitCodes;
import io.packing.options.Option;
import io.packing.worker.api.MountOptions;
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

/** The help of every command, option and argument of the laboratory. */
class LabHelpTest {
    /** Words after which a sentence goes on. */
    private static final Set<String> CONNECTIVES = Set.of(
            "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "its", "of", "on", "once", "or",
            "that", "the", "their", "to", "was", "when", "which", "whose", "with");

    private static final Pattern SHOWN_DEFAULT = Pattern.compile("\\(default: ([^,;)]+)");
    /** Picocli's own texts. */
    private static final Set<String> INHERITED = Set.of("--help", "--version");

    private static Stream<CommandLine> everyCommand() {
        List<CommandLine> all = new ArrayList<>();
        collect(LabCommand.commandLine(), all);
        return all.stream().filter(command -> !command.getCommandName().equals("help"));
    }

    /** The commands that read their own words: the others start a program. */
    private static Stream<CommandLine> everyOwnCommand() {
        return everyCommand().filter(command -> !(command.getCommand() instanceof ProgramCommand));
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

    @ParameterizedTest
    @MethodSource("everyOwnCommand")
    void everyCommandHasHelpAndExplainsItselfInTheListOfItsParent(CommandLine command) {
        List<String> words = new ArrayList<>(
                Arrays.asList(command.getCommandSpec().qualifiedName().split(" ")));
        words.remove(0);
        words.add("--help");
        LabRun run = LabRun.of(words.toArray(String[]::new));
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).startsWith("Usage: ");
    }

    @Test
    void defaultsOfTheMountAreThoseOfTheMount() {
        Map<String, Option<?>> options = Map.<String, Option<?>>of(
                "--seal-after", MountOptions.SEAL_AFTER,
                "--blob-max", MountOptions.BLOB_MAX_BYTES,
                "--durability", BdtOptions.DURABILITY,
                "--policy", MountOptions.POLICY);
        CommandLine.Model.CommandSpec demo = Objects.requireNonNull(
                        LabCommand.commandLine().getSubcommands().get("demo"))
                .getCommandSpec();
        options.forEach((flag, option) -> assertThat(demo.findOption(flag).description()[0])
                .contains(option.key() + ", " + option.defaultText() + " by default"));
    }

    @Test
    void theLaboratoryHasItsFiveKindsOfCommands() {
        assertThat(LabCommand.commandLine().getSubcommands())
                .containsKeys("experiment", "bench", "chaos", "fuzz", "demo");
        assertThat(LabRun.of("--help").out()).contains("experiment", "bench", "chaos", "fuzz", "demo");
    }
}
