package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.master.BdtMasterConfig;
import io.packing.options.Option;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells what daemons can be told. */
@Command(name = "config", description = "Prints files of arguments for daemons, to be edited.")
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
     * What runs all the time.
     *
     * @param needed examples of arguments without which it does not start
     */
    private record Daemon(String command, List<String> needed, List<Option<?>> options) {
        static final List<Daemon> ALL = List.of(
                new Daemon(
                        "bdt-master",
                        List.of(
                                "--data-dir /var/lib/packing/bdt",
                                "--bind 127.0.0.1:19998",
                                "--store s3://bucket/prefix"),
                        BdtMasterConfig.OPTIONS),
                new Daemon(
                        "worker",
                        List.of(
                                "--master 127.0.0.1:19998",
                                "--id worker-1",
                                "--buffer-dir /var/lib/packing/buffer",
                                "--host 127.0.0.1",
                                "--port 0",
                                "--option packing.store=s3://bucket/prefix"),
                        MountOptions.OPTIONS));

        static Daemon of(String name) {
            return ALL.stream()
                    .filter(daemon -> daemon.command.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'%s' is no daemon: there are bdt-master and worker".formatted(name)));
        }

        private void print(PrintWriter out) {
            out.printf(
                    "# Arguments of 'packing %s @FILE', as on the command line. What follows a # is a comment.%n",
                    command);
            out.printf("# 'packing %s --help' explains them; docs/options.md has the options.%n%n", command);
            out.println("# What it needs; these are examples.");
            needed.forEach(each -> out.println("# " + each));
            out.printf(
                    "# Keys of a store stand in the environment: %s and %s.%n",
                    MountTarget.ACCESS_VARIABLE, MountTarget.SECRET_VARIABLE);
            out.println();
            out.println("# All options, with their defaults.");
            for (Option<?> option : options) {
                if (SECRETS.contains(option)) {
                    continue;
                }
                out.println();
                out.println("# " + option.meaning());
                out.printf("# --option %s=%s%n", option.key(), option.defaultText());
            }
            out.flush();
        }
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
        Daemon of = Daemon.of(daemon);
        report.print(of.options.stream().map(Described::of).toList(), of::print);
        return ExitCodes.OK;
    }
}
