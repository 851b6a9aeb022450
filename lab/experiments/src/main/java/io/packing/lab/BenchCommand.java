// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import picocli.CommandLine.Command;

/** Measurements of parts, and suites of workloads. */
@Command(
        name = "bench",
        description =
                "Measures parts of packing, and runs suites of workloads beside others and beside published numbers, on this machine.",
        subcommands = {
            ContainerdBenchCommand.class,
            IbenchCommand.class,
            HelloCommand.class,
            LongCommand.class,
            MetadataBenchCommand.class,
            MultiMakeCommand.class,
            OffloadBenchCommand.class,
            PageBenchCommand.class,
            PeersBenchCommand.class,
            PullBenchCommand.class,
            S3GatewayBenchCommand.class,
            StartsCommand.class
        })
final class BenchCommand {}
