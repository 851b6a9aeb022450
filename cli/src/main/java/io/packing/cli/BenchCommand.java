package io.packing.cli;

import picocli.CommandLine.Command;

/** Suites of workloads. */
@Command(
        name = "bench",
        description = "Runs suites of workloads on this machine, and compares them with published numbers.",
        subcommands = {
            IbenchCommand.class,
            HelloCommand.class,
            LongCommand.class,
            MetadataBenchCommand.class,
            OffloadBenchCommand.class,
            PageBenchCommand.class,
            PullBenchCommand.class
        })
final class BenchCommand {}
