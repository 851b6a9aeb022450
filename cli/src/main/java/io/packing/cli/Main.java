package io.packing.cli;

import io.packing.cli.log.DaemonLog;
import io.packing.cli.simulate.SimulateCommand;
import io.packing.options.Parsers;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The {@code packing} command. */
@Command(
        name = "packing",
        description = "Packs small files into few big blobs on object storage.",
        subcommands = {
            HelpCommand.class,
            DemoCommand.class,
            BdtMasterCommand.class,
            WorkerCommand.class,
            RegistryCommand.class,
            MountCommand.class,
            LayersCommand.class,
            MountsCommand.class,
            MastersCommand.class,
            TopCommand.class,
            DrainCommand.class,
            CopyCommand.class,
            FlushCommand.class,
            TokenCommand.class,
            BlobCommand.class,
            BdtCommand.class,
            DuCommand.class,
            FsckCommand.class,
            GcCommand.class,
            DumpCommand.class,
            LoadCommand.class,
            ConfigCommand.class,
            CloneCommand.class,
            MoveCommand.class,
            PunchCommand.class,
            WriteAtCommand.class,
            SnapshotCommand.class,
            DedupCommand.class,
            VectorCommand.class,
            SimulateCommand.class,
            ExperimentCommand.class,
            BenchCommand.class,
            TraceCommand.class,
            EstimateCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed",
            " 2:wrong use: unknown or impossible option or argument",
            " 3:unavailable: a server does not answer; try again",
            " 4:corrupt: bytes differ from their checksum; trying again is no use; of a trace the rest was read",
            " 5:not found",
            " 6:not flushed: workers that are gone hold files that are not in the store"
        },
        scope = ScopeType.INHERIT)
public final class Main {
    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Print the stack trace of a failure.")
    private boolean verbose;

    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String... args) {
        try {
            Daemon.runBy(List.of(args)).map(Daemon::command).ifPresent(DaemonLog::install);
        } catch (IllegalArgumentException e) {
            System.err.println("packing: " + e.getMessage());
            return ExitCodes.of(e);
        }
        return execute(args);
    }

    /** Runs a command, after the file that {@code --config} names was put in the place of that flag. */
    static int execute(String... args) {
        CommandLine line = commandLine();
        try {
            return line.execute(DaemonFile.expand(List.of(args)).toArray(String[]::new));
        } catch (IllegalArgumentException e) {
            line.getErr().println("packing: " + e.getMessage());
            return ExitCodes.of(e);
        }
    }

    static CommandLine commandLine() {
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        // One way to write numbers, for all options and those of the mount.
        register(line, long.class, Long.class, Parsers::whole);
        register(
                line,
                int.class,
                Integer.class,
                text -> Parsers.count(Integer.MIN_VALUE, Integer.MAX_VALUE).apply(text));
        register(line, double.class, Double.class, text -> Parsers.number(text).doubleValue());
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> main.report(failure, command.getErr()));
    }

    private static <T> void register(CommandLine line, Class<T> primitive, Class<T> boxed, Function<String, T> parser) {
        ITypeConverter<T> converter = text -> {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'%s': %s".formatted(text, e.getMessage()));
            }
        };
        line.registerConverter(primitive, converter);
        line.registerConverter(boxed, converter);
    }

    private int report(Exception failure, PrintWriter err) {
        if (verbose) {
            failure.printStackTrace(err);
        } else {
            err.println("packing: " + describe(failure));
        }
        err.flush();
        return ExitCodes.of(failure);
    }

    private static String describe(Exception failure) {
        String message = failure.getMessage();
        if (failure instanceof FileSystemException file && file.getReason() == null) {
            // Its message is the file alone.
            return message + ": " + problem(file);
        }
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static String problem(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        } else if (failure instanceof FileAlreadyExistsException) {
            return "it is there already";
        } else if (failure instanceof AccessDeniedException) {
            return "access denied";
        } else if (failure instanceof NotDirectoryException) {
            return "not a directory";
        } else if (failure instanceof DirectoryNotEmptyException) {
            return "the directory is not empty";
        }
        return failure.getClass().getSimpleName();
    }
}
