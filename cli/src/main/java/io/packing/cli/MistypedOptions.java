// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.options.Nearest;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says which option a command does not know, and which it may be for. Picocli by itself says first what is missing, and a
 * mistyped option that a command needs is missing, too.
 */
final class MistypedOptions implements IParameterExceptionHandler {
    /** Letters that may be wrong in a name that is suggested. */
    private static final int MOST_WRONG = 3;

    @Override
    public int handleParseException(ParameterException refused, String[] words) {
        CommandLine command = refused.getCommandLine();
        PrintWriter err = command.getErr();
        Optional<String> unknown = command.getUnmatchedArguments().stream()
                .filter(word -> word.startsWith("--"))
                .map(word -> word.split("=", 2)[0])
                .findFirst();
        if (unknown.isPresent()) {
            err.println("unknown option %s%s".formatted(unknown.get(), suggestion(unknown.get(), command)));
            err.println("For the options there are: %s --help"
                    .formatted(command.getCommandSpec().qualifiedName()));
        } else {
            err.println(firstLine(refused, command));
            err.println(
                    "For its use: %s --help".formatted(command.getCommandSpec().qualifiedName()));
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Returns the refusal, or the name of a command that is none with the one that it may be for. */
    private static String firstLine(ParameterException refused, CommandLine command) {
        List<String> words = command.getUnmatchedArguments();
        if (!(refused instanceof UnmatchedArgumentException)
                || words.isEmpty()
                || command.getSubcommands().isEmpty()) {
            return String.valueOf(refused.getMessage());
        }
        List<String> known = command.getSubcommands().values().stream()
                .filter(each -> !each.getCommandSpec().usageMessage().hidden())
                .flatMap(each -> each.getCommandSpec().names().stream())
                .toList();
        return "unknown command %s%s"
                .formatted(
                        words.get(0),
                        Nearest.within(MOST_WRONG, words.get(0), known)
                                .map("; did you mean %s?"::formatted)
                                .orElse(""));
    }

    private static String suggestion(String unknown, CommandLine command) {
        List<String> known = command.getCommandSpec().optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--"))
                .toList();
        return Nearest.within(MOST_WRONG, unknown, known)
                .map("; did you mean %s?"::formatted)
                .orElse("");
    }
}
