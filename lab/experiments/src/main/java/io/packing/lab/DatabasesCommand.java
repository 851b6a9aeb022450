// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.databases.DatabasesExperiment;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares a database on a mount for the kernel with one on the local disk. */
@Command(
        name = "databases",
        description = {
            "Commits rows by SQLite on a mount and on the local disk, in turns, with a rollback journal and a write-ahead log.",
            "Then it kills writer, mount and worker, mounts again, and looks for each acknowledged row. Ends with 1 if one is"
                    + " missing or a database is damaged.",
            "It needs root, /dev/fuse, and the program sqlite3."
        })
final class DatabasesCommand implements Callable<Integer> {
    @Option(
            names = "--transactions",
            paramLabel = "N",
            defaultValue = "300",
            description = "Transactions of a turn, of one row each (default: ${DEFAULT-VALUE}).")
    private int transactions;

    @Option(names = "--rounds", defaultValue = "3", description = "Turns of each side (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "3",
            description = "Kills for each journal; 0: none (default: ${DEFAULT-VALUE}).")
    private int kills;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (transactions < 1 || rounds < 1 || kills < 0) {
            throw new IllegalArgumentException("--transactions, --rounds and --kills are positive numbers");
        }
        DatabasesExperiment.Result result = new DatabasesExperiment(
                        transactions, rounds, kills, mount.resolve(), new Narrator(report.isJson()))
                .run();
        report.print(result, result::print);
        return result.isClean() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
