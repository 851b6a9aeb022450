// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.store.StoreLocation;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of a trace's play on a mount of its own. */
final class MeasureArgument {
    @Option(
            names = "--measure",
            paramLabel = "LOCATION",
            description = {
                "Plays the trace with the recommended options on a mount of its own in this store, such as s3://bucket/prefix, and holds the "
                        + "prediction against it. PUTs, dollars, the time until files are durable, and that of reads are judged. The command "
                        + "runs the mount's master and worker, simulates with the measured speed of the store, and removes all that it made."
            })
    private Optional<String> location = Optional.empty();

    @Option(
            names = "--speed",
            paramLabel = "X",
            defaultValue = "1",
            description =
                    "Simulates and plays the trace so many times faster; with --measure (default: ${DEFAULT-VALUE}).")
    private double speed;

    boolean isWanted() {
        if (location.isEmpty() && speed != 1) {
            throw new IllegalArgumentException("--speed: needs --measure");
        }
        return location.isPresent();
    }

    /** Returns the location without a slash at its end. */
    String location() {
        String text = location.orElseThrow().replaceAll("/+$", "");
        StoreLocation unused = StoreLocation.parse(text);
        return text;
    }

    double speed() {
        if (!(speed > 0 && speed <= 1_000)) {
            throw new IllegalArgumentException("--speed: above 0 and up to 1000");
        }
        return speed;
    }
}
