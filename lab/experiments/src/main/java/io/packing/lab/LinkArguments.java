// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.storeservers.NetworkLink;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The network between the machine that is measured and its servers. */
final class LinkArguments {
    @Option(
            names = "--store-latency",
            paramLabel = "DURATION",
            converter = Latency.class,
            defaultValue = "0ms",
            description =
                    "How much longer the store and other servers take, here a round trip from the machine that starts"
                            + " containers to its servers, on both sides: docker-registry; our master and store (default:"
                            + " ${DEFAULT-VALUE}).")
    private Duration latency = Duration.ZERO;

    @Option(
            names = "--store-rate",
            paramLabel = "MB_PER_S",
            defaultValue = "0",
            description = "Millions of bytes a second between them, each way; 0 is no limit (default:"
                    + " ${DEFAULT-VALUE}). 1 Gbit/s is 125.")
    private double megabytesPerSecond;

    NetworkLink link() {
        return NetworkLink.of(latency.toNanos() / 1e6, megabytesPerSecond);
    }
}
