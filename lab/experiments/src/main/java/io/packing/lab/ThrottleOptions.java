// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.TimeSpan;
import io.packing.rig.S3Process;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options that make an experiment's S3 server slow its clients down. */
final class ThrottleOptions {
    @Option(
            names = "--put-limit",
            defaultValue = "0",
            description = "PUT-class requests per second above which the server answers 503; 0: none (the default).")
    private int putLimit;

    @Option(
            names = "--put-latency",
            converter = TimeSpan.class,
            defaultValue = "0ms",
            description = "Added to every PUT (default: ${DEFAULT-VALUE}).")
    private Duration putLatency = Duration.ZERO;

    S3Process.Limits limits() {
        return new S3Process.Limits(putLimit, putLatency);
    }
}
