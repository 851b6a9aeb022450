package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.options.Option;
import io.packing.store.StoreOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    /** What a file says. */
    record Checked(String daemon, String file, int settings) {
        private void print(PrintWriter out) {
            out.printf("%s: %d settings of '%s', all known and possible%n", file, settings, daemon);
        }
    }

    private static void print(Daemon daemon, PrintWriter out) {
        out.printf(
                "# Arguments of 'packing %s @FILE', as on the command line. What follows a # is a comment.%n",
                daemon.command());
        out.printf("# 'packing %s --help' explains them; docs/options.md has the options.%n%n", daemon.command());
        out.println("# What it needs; these are examples.");
        daemon.needed().forEach(each -> out.println("# " + each));
        out.printf(
                "# Keys of a store stand in the environment: %s and %s.%n",
                MountTarget.ACCESS_VARIABLE, MountTarget.SECRET_VARIABLE);
        out.println();
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

    @Command(
            name = "defaults",
            description = {
                "Prints a file of arguments with every option and its default in comments.",
                "A daemon reads it as @FILE: packing bdt-master @bdt-master.args."
            })
    int defaults(
            @Mixin Report report,
            @Parameters(paramLabel = "DAEMON", description = "One of bdt-master and worker.") String daemon) {
        Daemon of = Daemon.named(daemon);
        report.print(of.options().stream().map(Described::of).toList(), out -> print(of, out));
        return ExitCodes.OK;
    }

    @Command(
            name = "check",
            description = {
                "Checks a file that a daemon reads with --config, and names everything that is wrong in it.",
                "Asks no server."
            })
    int check(
            @Mixin Report report,
            @Parameters(paramLabel = "DAEMON", description = "One of bdt-master and worker.") String daemon,
            @Parameters(paramLabel = "FILE", description = "The file, in HOCON.") Path file) {
        DaemonFile read = DaemonFile.read(Daemon.named(daemon), file);
        Checked checked = new Checked(
                daemon,
                file.toString(),
                read.arguments().size() + read.options().size());
        report.print(checked, checked::print);
        return ExitCodes.OK;
    }
}
