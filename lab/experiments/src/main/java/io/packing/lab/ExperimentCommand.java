// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import picocli.CommandLine.Command;

/** The paper's evaluation, on this machine. */
@Command(
        name = "experiment",
        description = "Runs the experiments of the papers' evaluations on this machine.",
        subcommands = {
            IngestCommand.class,
            ReadCommand.class,
            DoorCommand.class,
            SizesCommand.class,
            ClonesCommand.class,
            CommitCommand.class,
            TransactionsCommand.class,
            SharedReadCommand.class,
            OverwriteCommand.class,
            DedupExperimentCommand.class,
            HBaseCommand.class,
            DatabasesCommand.class,
            ImagesCommand.class,
            TablesCommand.class
        })
final class ExperimentCommand {}
