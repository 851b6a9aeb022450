// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.suite.Experiments;
import io.packing.lab.tables.TableRaces;
import io.packing.lab.tables.engines.EngineJars;
import io.packing.lab.tables.engines.EngineTrials;
import io.packing.lab.tables.engines.TableEngine;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tries table formats on a mount. */
@Command(
        name = "tables",
        description = {
            "Lets two writers commit to one table of Iceberg and of Delta Lake at the same time, and kills writers at random times.",
            "Prints commits that were lost, rows that are there twice, and tables that a kill broke; ends with 1 if there are any.",
            "With --engines it tries servers of engines instead, whose jars bin/table-engines brings: Trino with a table of Iceberg, by the S3 gateway;"
                    + " a cluster of Flink with ZooKeeper, whose job managers are killed; Spark with tables of Hudi, by viewfs and by the gateway."
        })
final class TablesCommand implements Callable<Integer> {
    private static final int MOST_ENGINE_KILLS = 3;

    @Option(names = "--races", defaultValue = "1000", description = "Races of each format (default: ${DEFAULT-VALUE}).")
    private int races;

    @Option(names = "--kills", defaultValue = "200", description = "Kills of each format (default: ${DEFAULT-VALUE}).")
    private int kills;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the times of kills (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--engines",
            split = ",",
            paramLabel = "ENGINE",
            description = "Engines to try: trino, flink, hudi. Without it the formats' own libraries race.")
    private List<TableEngine> engines = List.of();

    @Option(
            names = "--jars",
            paramLabel = "DIR",
            defaultValue = "target/table-engines",
            description = "The folder that bin/table-engines has filled (default: ${DEFAULT-VALUE}).")
    private Path jars = Path.of("");

    @Option(
            names = "--trino-java",
            paramLabel = "DIR",
            description = {"The home of a Java runtime for Trino, 24 or newer. By default one of those in /usr/lib/jvm."
            })
    private Optional<Path> trinoJava = Optional.empty();

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        if (!engines.isEmpty()) {
            return tryEngines(narrator);
        }
        TableRaces experiment = new TableRaces(races, kills, seed, narrator);
        out.prepare();
        TableRaces.Result result =
                new Experiments(Checkout.find(), narrator).onDirectory(experiment::run, mount.resolve());
        out.write("tables", result, directory -> {});
        report.print(result, result::print);
        return result.isSound() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private int tryEngines(Narrator narrator) throws IOException, InterruptedException {
        // Each kill of a job manager costs a quarter of a minute.
        int most = Math.min(kills, MOST_ENGINE_KILLS);
        EngineTrials trials = new EngineTrials(engines, new EngineJars(jars), most, seed, trinoJava, narrator);
        out.prepare();
        EngineTrials.Result result =
                new Experiments(Checkout.find(), narrator).onDirectory(trials::run, mount.resolve());
        out.write("table-engines", result, directory -> {});
        report.print(result, result::print);
        return result.isSound() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
