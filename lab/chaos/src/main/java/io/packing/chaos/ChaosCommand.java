// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.cluster.StoreKind;
import io.packing.chaos.masters.MasterGroupChaos;
import io.packing.chaos.masters.MasterGroupResult;
import io.packing.chaos.run.RoundOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bin/lab chaos}. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = {
            "Runs seeded rounds of kills, lost directories and store faults against a master, workers, clients and a"
                    + " store, each a process of its own, and compares every file with the acknowledged writes.",
            "With --masters 3, runs rounds of kills, stops, cut networks and store faults against a group of masters, and"
                    + " checks that the clients' histories are linearizable. docs/chaos.md tells more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:nothing was lost, came back or was wrong",
            " 1:something was, or a round could not be played to its end",
            " 2:wrong use"
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final int MOST_MASTERS = 7;

    @Mixin
    private RoundOptions options = new RoundOptions();

    @Option(
            names = "--masters",
            paramLabel = "N",
            defaultValue = "1",
            description = "Masters of the group: 3, 5 or 7; 1 for no group (default: ${DEFAULT-VALUE}).")
    private int masters;

    @Option(
            names = "--store",
            paramLabel = "KIND",
            defaultValue = "s3",
            description =
                    "The store behind a single master: s3, google (fake-gcs-server) or azure (Azurite), which bin/test-servers"
                            + " installs (default: ${DEFAULT-VALUE}).")
    private StoreKind store = StoreKind.S3;

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ChaosCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        int rounds = options.rounds(line);
        if (masters < 1 || masters > MOST_MASTERS || masters % 2 == 0) {
            throw new CommandLine.ParameterException(line, "--masters: 1, 3, 5 or 7");
        }
        if (masters > 1 && store != StoreKind.S3) {
            throw new CommandLine.ParameterException(line, "--store: a group of masters is played on s3");
        }
        store.missing().ifPresent(what -> {
            throw new CommandLine.ParameterException(line, "--store: " + what);
        });
        Path home = options.home("packing-chaos");
        if (masters > 1) {
            MasterGroupResult result =
                    MasterGroupChaos.run(home, masters, rounds, options.seeds(), line.getErr()::println);
            options.print(line, result.fields());
            return result.isClean() ? 0 : 1;
        }
        Chaos.Result result = Chaos.run(home, rounds, options.seeds(), store, line.getErr()::println);
        options.print(line, result.fields());
        return result.isClean() ? 0 : 1;
    }
}
