// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.RootCommand;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The command of the laboratory: what measures packing, breaks it and shows it. */
@Command(
        name = "lab",
        description = "Measures packing, tries to break it and shows it, on this machine.",
        subcommands = {
            HelpCommand.class,
            ExperimentCommand.class,
            BenchCommand.class,
            DemoCommand.class,
            NightlyCommand.class
        })
public final class LabCommand extends RootCommand {
    private static final Set<String> HELP = Set.of("-h", "--help");

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command with all that are below it; tests of the documentation look for commands in it. */
    public static CommandLine commandLine() {
        CommandLine lab = new LabCommand().line();
        for (Program program : Program.values()) {
            CommandLine parent = program.parent().isEmpty()
                    ? lab
                    : Objects.requireNonNull(lab.getSubcommands().get(program.parent()));
            CommandLine command = new CommandLine(new ProgramCommand(program));
            command.getCommandSpec().usageMessage().description(program.description());
            parent.addSubcommand(program.word(), command);
        }
        return lab.setExecutionStrategy(LabCommand::run);
    }

    /** Runs a program of another module with the words as they are, and every other command as picocli does. */
    private static int run(ParseResult parsed) throws ExecutionException {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        CommandLine called = last.commandSpec().commandLine();
        if (!(called.getCommand() instanceof ProgramCommand command)) {
            return new RunLast().execute(parsed);
        }
        try {
            List<String> words = command.wordsIn(parsed.originalArgs());
            if (!command.program().hasHelp() && words.stream().anyMatch(HELP::contains)) {
                called.usage(called.getOut());
                return ExitCodes.OK;
            }
            return command.program().run(Checkout.find(), words);
        } catch (IOException | InterruptedException e) {
            throw new ExecutionException(called, String.valueOf(e.getMessage()), e);
        }
    }
}
