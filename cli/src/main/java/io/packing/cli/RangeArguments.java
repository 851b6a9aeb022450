// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.ByteRange;
import io.packing.blob.FilePath;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The range of a file's bytes, from a command's arguments. */
final class RangeArguments {
    @Option(
            names = "--offset",
            paramLabel = "BYTES",
            converter = ByteOffset.class,
            description = "The first byte; with --length.")
    private Optional<Long> offset = Optional.empty();

    @Option(
            names = "--length",
            paramLabel = "BYTES",
            converter = ByteOffset.class,
            description = "How many bytes, such as 4096 or 4KB; with --offset.")
    private Optional<Long> length = Optional.empty();

    boolean isGiven() {
        if (offset.isPresent() != length.isPresent()) {
            throw new IllegalArgumentException("--offset and --length belong together: give both, or none");
        }
        return offset.isPresent();
    }

    /** The range; {@link #isGiven} must hold. */
    ByteRange of(FilePath path) {
        return new ByteRange(path, offset.orElseThrow(), length.orElseThrow());
    }
}
