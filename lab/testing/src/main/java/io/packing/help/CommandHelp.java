// SPDX-License-Identifier: Apache-2.0
package io.packing.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Rules for the help of commands, options and arguments. Each check returns the breaches that it found. */
public final class CommandHelp {
    /** Words after which a sentence goes on. */
    private static final Set<String> CONNECTIVES = Set.of(
            "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "its", "of", "on", "once", "or",
            "that", "the", "their", "to", "was", "when", "which", "whose", "with");

    private static final Pattern LAST_WORD = Pattern.compile("([a-z0-9]+)[^a-z0-9]*$");
    private static final Pattern SHOWN_DEFAULT = Pattern.compile("\\(default: ([^,;)]+)");
    /** Defaults that are easier to read in words. */
    private static final Map<String, String> IN_WORDS = Map.of("8.3 days", "11952min", "all", "-1", "a free one", "0");
    /** Picocli's own texts. */
    private static final Set<String> INHERITED = Set.of("--help", "--version");

    private CommandHelp() {}

    /** Returns a command and all commands below it, without picocli's own. */
    public static Stream<CommandLine> withSubcommands(CommandLine command) {
        List<CommandLine> all = new ArrayList<>();
        collect(command, all);
        return all.stream().filter(each -> !each.getCommandName().equals("help"));
    }

    private static void collect(CommandLine command, List<CommandLine> all) {
        all.add(command);
        command.getSubcommands().values().forEach(each -> collect(each, all));
    }

    /** Returns the words that call the help of a command, without the program's name. */
    public static String[] wordsForHelp(CommandLine command) {
        List<String> words =
                new ArrayList<>(List.of(command.getCommandSpec().qualifiedName().split(" ")));
        words.remove(0);
        words.add("--help");
        return words.toArray(String[]::new);
    }

    /** Returns the descriptions of a command and its arguments that are not whole sentences, or are not one text. */
    public static List<String> incompleteDescriptions(CommandLine command) {
        List<String> breaches = new ArrayList<>();
        String name = command.getCommandSpec().qualifiedName();
        String[] description = command.getCommandSpec().usageMessage().description();
        if (description.length == 0) {
            breaches.add("%s has no description".formatted(name));
        }
        for (String line : description) {
            addIncomplete(name, line, breaches);
        }
        for (ArgSpec argument : arguments(command)) {
            String where = name(command, argument);
            if (argument.description().length == 1) {
                addIncomplete(where, argument.renderedDescription()[0], breaches);
            } else {
                breaches.add("%s is %d texts; one is wrapped to the terminal"
                        .formatted(where, argument.description().length));
            }
        }
        return breaches;
    }

    private static void addIncomplete(String where, String text, List<String> breaches) {
        boolean isWhole = !text.isBlank()
                && !text.contains("$")
                && text.endsWith(".")
                && text.chars().filter(c -> c == '(').count()
                        == text.chars().filter(c -> c == ')').count();
        if (!isWhole) {
            breaches.add("%s: %s".formatted(where, text));
        }
    }

    /** Returns whether the last word of a text without a full stop demands another word. */
    public static boolean endsOpen(String text) {
        Matcher last = LAST_WORD.matcher(text.toLowerCase(Locale.ROOT));
        return last.find() && CONNECTIVES.contains(last.group(1));
    }

    /** Returns the arguments of a command whose help shows no default, or shows another one than they have. */
    public static List<String> wrongDefaults(CommandLine command) {
        List<String> breaches = new ArrayList<>();
        for (ArgSpec argument : arguments(command)) {
            if (!showsItsDefault(argument)) {
                breaches.add("%s: %s".formatted(name(command, argument), argument.renderedDescription()[0]));
            }
        }
        return breaches;
    }

    private static boolean showsItsDefault(ArgSpec argument) {
        String value = argument.defaultValue();
        boolean isFlag = argument instanceof OptionSpec option && option.arity().max() == 0;
        if (value == null || isFlag) {
            return !argument.description()[0].contains("DEFAULT-VALUE");
        }
        String text = argument.renderedDescription()[0];
        if (!text.contains("default") && !text.contains(value)) {
            return false;
        }
        Matcher shown = SHOWN_DEFAULT.matcher(text);
        return text.contains("(default: " + value)
                || !shown.find()
                || shown.group(1).equals(value)
                || value.equals(IN_WORDS.get(shown.group(1)));
    }

    /** Returns the arguments of a command without those of picocli. */
    private static List<ArgSpec> arguments(CommandLine command) {
        return command.getCommandSpec().args().stream()
                .filter(each -> !(each instanceof OptionSpec option) || !INHERITED.contains(option.longestName()))
                .toList();
    }

    private static String name(CommandLine command, ArgSpec argument) {
        return command.getCommandSpec().qualifiedName() + " "
                + (argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel());
    }
}
