// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.options.Option;
import io.packing.store.StoreOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Parameters;

/** Tells what daemons can be told. */
@Command(name = "config", description = "Prints and checks files that configure daemons.")
final class ConfigCommand {
    /** Every user of the machine can read a command line. */
    private static final Set<Option<?>> SECRETS = Set.of(StoreOptions.ACCESS_KEY, StoreOptions.SECRET_KEY);

    /** An option, as printed. */
    record Described(String key, @JsonProperty("default") String defaultText, String meaning) {
        static Described of(Option<?> option) {
            return new Described(option.key(), option.defaultText(), option.meaning());
        }
    }

    /**
     * The result of a check of a daemon's file.
     *
     * @param running settings of it that the daemon takes while it runs, when they change
     * @param restart those for which it has to be restarted
     */
    record Checked(
            String daemon,
            String file,
            int settings,
            List<String> warnings,
            List<String> running,
            List<String> restart) {
        private void print(PrintWriter out) {
            warnings.forEach(warning -> out.printf("%s: warning: %s%n", file, warning));
            out.printf("%s: %d settings of '%s', all known and possible%n", file, settings, daemon);
            if (!running.isEmpty()) {
                out.printf("%s: taken while it runs, when they change: %s%n", file, String.join(", ", running));
            }
            if (!restart.isEmpty()) {
                out.printf("%s: need a restart, when they change: %s%n", file, String.join(", ", restart));
            }
        }
    }

    private static void print(Daemon daemon, PrintWriter out) {
        out.printf(
                "# Arguments of 'packing %s @FILE', as on the command line. What follows a # is a comment.%n",
                daemon.command());
        out.printf("# 'packing %s --help' explains them; docs/options.md has the options.%n%n", daemon.command());
        out.println("# What it needs; these are examples.");
        daemon.needed().forEach((key, value) -> {
            String own = daemon.command() + ".";
            if (!key.startsWith(own)) {
                out.println("# --option %s=%s".formatted(key, value));
            } else if (MountUri.isOne(value)) {
                out.println("# " + value);
            } else {
                out.println("# --%s %s".formatted(key.substring(own.length()), value));
            }
        });
        out.printf(
                "# Keys of a store stand in the environment: %s and %s.%n",
                MountTarget.ACCESS_VARIABLE, MountTarget.SECRET_VARIABLE);
        out.println();
        for (DaemonArguments.Argument argument : others(daemon)) {
            ArgSpec spec = argument.spec();
            out.println("# " + argument.meaning());
            String value = spec.defaultValue() == null ? spec.paramLabel() : spec.defaultValue();
            out.printf("# --%s%s%n%n", argument.name(), argument.isValueless() ? "" : " " + value);
        }
        out.println("# All options, with their defaults.");
        for (Option<?> option : daemon.options()) {
            if (SECRETS.contains(option)) {
                continue;
            }
            out.println();
            out.println("# " + option.meaning());
            out.printf("# --option %s=%s%n", option.key(), option.defaultText());
        }
        out.flush();
    }

    /** Returns the arguments of a daemon without those that it needs. */
    private static List<DaemonArguments.Argument> others(Daemon daemon) {
        return daemon.arguments().shown().stream()
                .filter(argument -> !daemon.needed().containsKey(daemon.command() + "." + argument.name()))
                .toList();
    }

    private static void printHocon(Daemon daemon, PrintWriter out) {
        out.printf(
                "# A file of 'packing %s --config FILE', in HOCON. What follows a # is a comment.%n", daemon.command());
        out.printf("# 'packing config check FILE' names what is wrong in it; docs/options.md has the options.%n%n");
        out.println("# What it needs; these are examples.");
        daemon.needed().forEach((key, value) -> out.printf("# %s = \"%s\"%n", key, value));
        out.printf(
                "# Keys of a store stand in the environment: %s and %s.%n",
                MountTarget.ACCESS_VARIABLE, MountTarget.SECRET_VARIABLE);
        for (DaemonArguments.Argument argument : others(daemon)) {
            String key = daemon.command() + "." + argument.name();
            String byDefault =
                    argument.isValueless() ? "false" : argument.spec().defaultValue();
            out.printf("%n# %s%n", argument.meaning());
            if (byDefault == null) {
                out.printf("# %s: none by default%n", key);
            } else {
                out.printf("# %s = \"%s\"%n", key, byDefault);
            }
        }
        out.printf("%n# All options, with their defaults.%n");
        for (Option<?> option : daemon.options()) {
            if (SECRETS.contains(option) || daemon.needed().containsKey(option.key())) {
                continue;
            }
            out.printf("%n# %s%n", option.meaning());
            if (option.defaultText().isEmpty()) {
                out.printf("# %s: none by default%n", option.key());
            } else {
                out.printf("# %s = \"%s\"%n", option.key(), option.defaultText());
            }
        }
        out.flush();
    }

    @Command(
            name = "defaults",
            description = {
                "Prints a file of arguments with every option and its default in comments.",
                "A daemon reads it as @FILE: packing bdt-master @bdt-master.args."
            })
    int defaults(
            @Mixin Report report,
            @CommandLine.Option(names = "--hocon", description = "Print a file for --config instead, in HOCON.")
                    boolean hocon,
            @Parameters(paramLabel = "DAEMON", description = "One of " + Daemon.NAMES + ".") String daemon) {
        Daemon of = Daemon.named(daemon);
        report.print(of.options().stream().map(Described::of).toList(), out -> {
            if (hocon) {
                printHocon(of, out);
            } else {
                print(of, out);
            }
        });
        return ExitCodes.OK;
    }

    @Command(
            name = "check",
            description = {
                "Checks a file that a daemon reads with --config, and names everything that is wrong or missing in it.",
                "Asks no server."
            })
    int check(
            @Mixin Report report,
            @Parameters(
                            arity = "1..2",
                            paramLabel = "[DAEMON] FILE",
                            hideParamSyntax = true,
                            description = "The file, in HOCON; before it the daemon, one of " + Daemon.NAMES
                                    + ", if the file's keys do not say which.")
                    List<String> words) {
        Path file = Path.of(words.get(words.size() - 1));
        Daemon daemon = words.size() == 2 ? Daemon.named(words.get(0)) : DaemonFile.daemonOf(file);
        DaemonFile read = DaemonFile.readWhole(daemon, file);
        Map<Boolean, List<String>> keys = Stream.concat(
                        read.arguments().keySet().stream().map(name -> daemon.command() + "." + name),
                        read.options().keySet().stream())
                .sorted()
                .collect(Collectors.partitioningBy(daemon::takesRunning));
        Checked checked = new Checked(
                daemon.command(),
                file.toString(),
                read.arguments().size() + read.options().size(),
                daemon.warnings(read.options()),
                keys.getOrDefault(true, List.of()),
                keys.getOrDefault(false, List.of()));
        report.print(checked, checked::print);
        return ExitCodes.OK;
    }
}
