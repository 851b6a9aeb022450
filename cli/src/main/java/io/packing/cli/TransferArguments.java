package io.packing.cli;

import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** From where to where a command brings a file, or a range of one. */
final class TransferArguments {
    @Mixin
    private VectorTarget target = new VectorTarget();

    @Mixin
    private RangeArguments range = new RangeArguments();

    @Option(
            names = "--at",
            paramLabel = "BYTES",
            converter = ByteOffset.class,
            description = "Where a range goes in the destination (default: 0).")
    private Optional<Long> at = Optional.empty();

    @Option(names = "--overwrite", description = "Replace a file at the destination; for whole files.")
    private boolean overwrite;

    @Parameters(paramLabel = "SOURCE", description = "A file of the mount.")
    private String source = "";

    @Parameters(paramLabel = "DESTINATION", description = "A path of the mount; for a range, a file.")
    private String destination = "";

    /** What a command does with a range. */
    interface OfRange {
        Operation of(ByteRange source, FilePath destination, long at);
    }

    /** What a command does with a whole file. */
    interface OfFile {
        Operation of(FilePath source, FilePath destination, boolean overwrite);
    }

    /** Does one of both, as the arguments say. */
    int apply(OfRange ofRange, OfFile ofFile) throws IOException {
        FilePath from = FilePath.normalise(source);
        FilePath to = FilePath.normalise(destination);
        if (range.isGiven()) {
            if (overwrite) {
                throw new IllegalArgumentException(
                        "--overwrite is for whole files; a range goes into a file that is there");
            }
            return target.apply(ofRange.of(range.of(from), to, at.orElse(0L)));
        }
        if (at.isPresent()) {
            throw new IllegalArgumentException("--at is for ranges: say which bytes with --offset and --length");
        }
        return target.apply(ofFile.of(from, to, overwrite));
    }
}
