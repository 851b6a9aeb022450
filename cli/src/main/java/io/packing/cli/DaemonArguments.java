// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/**
 * The flags and arguments of a daemon's command, as its class declares them: its file has the same ones, checked in the same way.
 */
final class DaemonArguments {
    /** Flags that no file has: of the file itself, of the call or of the output, and options, whose keys are their own. */
    private static final Set<String> NOT_IN_FILES =
            Set.of(DaemonFile.FLAG, "--option", "--json", "--verbose", "--help", "--version");

    /** Forms of earlier versions that name the mount. */
    private static final Set<String> MOUNT_BEFORE = Set.of("master", "store");

    private static final String MOUNT = MastersArgument.MOUNT_LABEL.toLowerCase(Locale.ROOT);
    private static final Pattern COMPLAINT = Pattern.compile("Invalid value for [^:]*: (.*)", Pattern.DOTALL);

    private final String daemon;
    private final CommandLine commands;
    private final Map<String, Argument> arguments = new LinkedHashMap<>();

    private DaemonArguments(String daemon, CommandLine commands) {
        this.daemon = daemon;
        this.commands = commands;
        CommandLine command = Objects.requireNonNull(commands.getSubcommands().get(daemon));
        for (ArgSpec spec : command.getCommandSpec().args()) {
            if (spec instanceof PositionalParamSpec positional) {
                String name = positional.paramLabel().toLowerCase(Locale.ROOT);
                arguments.put(name, new Argument(name, positional, true));
            } else if (spec instanceof OptionSpec option && !NOT_IN_FILES.contains(option.longestName())) {
                String name = option.longestName().substring(2);
                arguments.put(name, new Argument(name, option, option.required()));
            }
        }
    }

    /** Returns the flags and arguments of a daemon's command. */
    static DaemonArguments of(String daemon) {
        return new DaemonArguments(daemon, Main.commandFor(daemon));
    }

    /**
     * A flag, or an argument, of a command.
     *
     * @param name in a file: the flag's without dashes, the argument's label in small letters
     * @param needed whether a file has to say it
     */
    record Argument(String name, ArgSpec spec, boolean needed) {
        /** Returns whether it stands without a value on the command line. */
        boolean isValueless() {
            return spec.isOption() && spec.arity().max() == 0;
        }

        /** Returns whether it is missing among these. */
        boolean isRequired(Set<String> given) {
            boolean otherwise = name.equals(MOUNT) && given.stream().anyMatch(MOUNT_BEFORE::contains);
            return needed && !otherwise && !given.contains(name);
        }

        /** Returns the words of a command line that say it. */
        List<String> words(String value) {
            if (!spec.isOption()) {
                return List.of(value);
            }
            // Joined: a value that begins as a flag or a file of arguments does stays a value.
            return List.of("--" + name + (isValueless() ? "" : "=" + value));
        }

        /** Returns whether these words of a command line say it, which then go before the file. */
        boolean isSaidBy(List<String> words) {
            return spec.isOption()
                    ? DaemonFile.says(words, name)
                    : words.stream().anyMatch(MountUri::isOne);
        }

        String meaning() {
            return String.join(" ", spec.description());
        }
    }

    List<Argument> all() {
        return List.copyOf(arguments.values());
    }

    /** Returns those that help shows: without the forms of earlier versions. */
    List<Argument> shown() {
        return arguments.values().stream().filter(each -> !each.spec().hidden()).toList();
    }

    Optional<Argument> find(String name) {
        return Optional.ofNullable(arguments.get(name));
    }

    /** Returns the command's complaint about a value; empty: the value is valid. */
    Optional<String> problem(Argument argument, String value) {
        if (value.isBlank()) {
            return Optional.of("it is empty");
        }
        if (argument.isValueless()) {
            return List.of("true", "false").contains(value) ? Optional.empty() : Optional.of("expected true or false");
        }
        try {
            List<String> words = new ArrayList<>(List.of(daemon));
            words.addAll(argument.words(value));
            CommandLine.ParseResult unused = commands.parseArgs(words.toArray(String[]::new));
            return Optional.empty();
        } catch (MissingParameterException e) {
            // The value is in order; the file's other settings are looked at by themselves.
            return Optional.empty();
        } catch (ParameterException e) {
            Matcher complaint = COMPLAINT.matcher(String.valueOf(e.getMessage()));
            return Optional.of(complaint.matches() ? complaint.group(1) : String.valueOf(e.getMessage()));
        }
    }
}
