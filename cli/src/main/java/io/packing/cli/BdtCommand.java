// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import picocli.CommandLine.Command;

/** The commands for files by their names in earlier versions. */
@Command(
        name = "bdt",
        hidden = true,
        description = "Lists, describes and locates files, as packing ls, stat and locate do.",
        subcommands = {LsCommand.class, StatCommand.class, LocateCommand.class})
final class BdtCommand {}
