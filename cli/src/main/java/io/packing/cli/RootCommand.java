// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.options.Parsers;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The root of the {@code packing} commands: help, exit codes and messages of failures. */
@Command(
        name = "packing",
        description = "Packs small files into few big blobs on object storage.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed",
            " 2:wrong use: unknown or impossible option or argument",
            " 3:unavailable: a server does not answer; try again",
            " 4:corrupt or lost: bytes differ from their checksum, or are nowhere; trying again is no use; of a trace the rest was read",
            " 5:not found",
            " 6:not flushed: workers that are gone hold files that are not in the store"
        },
        scope = ScopeType.INHERIT)
public class RootCommand {
    private final Map<String, String> environment;

    /** Makes the root of commands that look at this process's environment. */
    public RootCommand() {
        this(System.getenv());
    }

    /** Makes the root of commands that look at these variables for mounts and contexts. */
    public RootCommand(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Returns the environment of a command below a root. */
    static Map<String, String> environment(@Nullable CommandSpec command) {
        Object root = Objects.requireNonNull(command)
                .commandLine()
                .getCommandSpec()
                .root()
                .userObject();
        return root instanceof RootCommand of ? of.environment : System.getenv();
    }

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Print the stack trace of a failure.")
    private boolean verbose;

    /** Returns the command line of this command, with these commands below it beside those of its annotation. */
    public final CommandLine line(Class<?>... below) {
        CommandLine line = new CommandLine(this);
        for (Class<?> each : below) {
            line.addSubcommand(each);
        }
        // One way to write numbers, for all options and those of the mount.
        register(line, long.class, Long.class, Parsers::whole);
        register(
                line,
                int.class,
                Integer.class,
                text -> Parsers.count(Integer.MIN_VALUE, Integer.MAX_VALUE).apply(text));
        register(line, double.class, Double.class, text -> Parsers.number(text).doubleValue());
        // A value may be called as a command is: registry --role dedup.
        return line.setAllowSubcommandsAsOptionParameters(true)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new MistypedOptions())
                .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command.getErr()));
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
            err.println(PrintableWriter.lines("packing: " + describe(failure)));
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
