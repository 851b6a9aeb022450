// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.cli.log.DaemonLog;
import io.packing.cli.simulate.SimulateCommand;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The {@code packing} command. */
@Command(
        subcommands = {
            HelpCommand.class,
            BdtMasterCommand.class,
            WorkerCommand.class,
            RegistryCommand.class,
            S3Command.class,
            PullCommand.class,
            MountCommand.class,
            VolumeCommand.class,
            LayersCommand.class,
            BisectCommand.class,
            CsiCommand.class,
            MountsCommand.class,
            ContextCommand.class,
            MastersCommand.class,
            TopCommand.class,
            DrainCommand.class,
            CopyCommand.class,
            AdoptCommand.class,
            RepackCommand.class,
            FlushCommand.class,
            TokenCommand.class,
            LsCommand.class,
            StatCommand.class,
            LocateCommand.class,
            CatCommand.class,
            PutCommand.class,
            GetCommand.class,
            RmCommand.class,
            MkdirCommand.class,
            BlobCommand.class,
            BdtCommand.class,
            DuCommand.class,
            FsckCommand.class,
            DoctorCommand.class,
            GcCommand.class,
            DumpCommand.class,
            LoadCommand.class,
            ConfigCommand.class,
            CloneCommand.class,
            MoveCommand.class,
            PunchCommand.class,
            WriteAtCommand.class,
            SnapshotCommand.class,
            BranchCommand.class,
            QuotaCommand.class,
            DedupCommand.class,
            VectorCommand.class,
            SimulateCommand.class,
            TraceCommand.class,
            EstimateCommand.class,
            AuditPriceCommand.class
        })
public final class Main extends RootCommand {
    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String... args) {
        if (args.length == 1 && ProgramVersion.FLAGS.contains(args[0])) {
            // Scripts ask for it often, and no command is needed to answer.
            System.out.println(ProgramVersion.line());
            return ExitCodes.OK;
        }
        try {
            Optional<String> daemon = DaemonLine.logged(List.of(args));
            daemon.ifPresent(DaemonLog::install);
            if (daemon.isEmpty()) {
                DaemonLog.nameOfCommand(System.getProperties(), why -> System.err.println("packing: " + why));
            }
        } catch (IllegalArgumentException e) {
            System.err.println("packing: " + e.getMessage());
            return ExitCodes.of(e);
        }
        return execute(args);
    }

    /** Runs a command, after the file that {@code --config} names was put in the place of that flag. */
    static int execute(String... args) {
        CommandLine line = commandFor(args);
        List<String> words = List.of(args);
        try {
            List<String> known = FlagsBefore.replaced(DaemonFile.expand(words), line.getErr());
            String[] expanded = known.toArray(String[]::new);
            Optional<DaemonFileWatch> watch = DaemonFileWatch.of(words, line);
            watch.ifPresent(DaemonFileWatch::start);
            try {
                return line.execute(expanded);
            } finally {
                watch.ifPresent(DaemonFileWatch::close);
            }
        } catch (IllegalArgumentException e) {
            line.getErr().println("packing: " + e.getMessage());
            return ExitCodes.of(e);
        }
    }

    /** Makes the command that looks at this process's environment. */
    public Main() {
        this(System.getenv());
    }

    Main(Map<String, String> environment) {
        super(environment);
    }

    /** The command with all that are below it; tests of the documentation look for commands in it. */
    public static CommandLine commandLine() {
        return CommandGroups.grouped(new Main().line());
    }

    /** The command with the one below it that the words call: to describe all of them takes most of the time of a short one. */
    public static CommandLine commandFor(String... words) {
        return commandFor(System.getenv(), words);
    }

    private static boolean isCalled(Command command, String word) {
        return command.name().equals(word) || List.of(command.aliases()).contains(word);
    }

    /** Returns the command for these words, which looks at these variables. */
    static CommandLine commandFor(Map<String, String> environment, String... words) {
        Optional<Class<?>> called = Stream.of(
                        Main.class.getAnnotation(Command.class).subcommands())
                .filter(below -> words.length > 0
                        && below != HelpCommand.class
                        && isCalled(below.getAnnotation(Command.class), words[0]))
                .findFirst();
        return called.isPresent()
                ? new RootCommand(environment).line(called.get())
                : CommandGroups.grouped(new Main(environment).line());
    }
}
