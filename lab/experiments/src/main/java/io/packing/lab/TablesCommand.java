// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.suite.Experiments;
import io.packing.lab.tables.TableRaces;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tries table formats on a mount. */
@Command(
        name = "tables",
        description = {
            "Lets two writers commit to one table of Iceberg and of Delta Lake at the same time, and kills writers at random times.",
            "Prints commits that were lost, rows that are there twice, and tables that a kill broke; ends with 1 if there are any."
        })
final class TablesCommand implements Callable<Integer> {
    @Option(names = "--races", defaultValue = "1000", description = "Races of each format (default: ${DEFAULT-VALUE}).")
    private int races;

    @Option(names = "--kills", defaultValue = "200", description = "Kills of each format (default: ${DEFAULT-VALUE}).")
    private int kills;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the times of kills (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        TableRaces experiment = new TableRaces(races, kills, seed, narrator);
        out.prepare();
        TableRaces.Result result =
                new Experiments(Checkout.find(), narrator).onDirectory(experiment::run, mount.resolve());
        out.write("tables", result, directory -> {});
        report.print(result, result::print);
        return result.isSound() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
