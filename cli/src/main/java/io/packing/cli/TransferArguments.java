// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import io.packing.worker.api.EqualBytes;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** From where to where a command brings a file, a directory, or a range of a file. */
final class TransferArguments {
    @Mixin
    private VectorTarget target = new VectorTarget();

    @Mixin
    private RangeArguments range = new RangeArguments();

    @Option(
            names = "--at",
            paramLabel = "BYTES",
            converter = ByteOffset.class,
            description = "Where a range goes, or is, in the destination (default: 0).")
    private Optional<Long> at = Optional.empty();

    @Option(names = "--overwrite", description = "Replace a file at the destination; for whole files.")
    private boolean overwrite;

    @Parameters(paramLabel = "SOURCE", description = "A file or a directory of the mount; for a range, a file.")
    private String source = "";

    @Parameters(paramLabel = "DESTINATION", description = "A path of the mount; for a range, a file.")
    private String destination = "";

    /** A command's operation on a range. */
    interface OfRange {
        Operation of(ByteRange source, FilePath destination, long at);
    }

    /** A command's operation on a whole file. */
    interface OfFile {
        Operation of(FilePath source, FilePath destination, boolean overwrite);
    }

    /** A command's operation on a directory. */
    interface OfDirectory {
        Operation of(FilePath source, FilePath destination);
    }

    /** Does one of them, as the arguments and the source say. */
    int apply(OfRange ofRange, OfFile ofFile, OfDirectory ofDirectory) throws IOException {
        return choose(ofRange, (bdt, from, to) -> {
            boolean isDirectory = bdt.stat(from).map(FileStatus::isDirectory).orElse(false);
            if (isDirectory && overwrite) {
                throw new IllegalArgumentException("--overwrite is for files, and %s is a directory".formatted(from));
            }
            return isDirectory ? ofDirectory.of(from, to) : ofFile.of(from, to, overwrite);
        });
    }

    /** Does one of both, as the arguments say. */
    int apply(OfRange ofRange, OfFile ofFile) throws IOException {
        return choose(ofRange, (bdt, from, to) -> ofFile.of(from, to, overwrite));
    }

    /** Lets the destination share the bytes of the source, if it has equal ones; without a range, all bytes of the source. */
    int shareIfEqual() throws IOException {
        if (overwrite) {
            throw new IllegalArgumentException("--overwrite and --if-equal contradict each other: what is there stays");
        }
        FilePath from = target.path(source);
        FilePath to = target.path(destination);
        ByteRange bytes = range.isGiven() ? range.of(from) : new ByteRange(from, 0, target.length(from));
        return target.share(new EqualBytes(bytes, new ByteRange(to, at.orElse(0L), bytes.length())));
    }

    private interface OfWhole {
        Operation of(Bdt bdt, FilePath source, FilePath destination) throws IOException;
    }

    private int choose(OfRange ofRange, OfWhole ofWhole) throws IOException {
        FilePath from = target.path(source);
        FilePath to = target.path(destination);
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
        return target.choose(bdt -> ofWhole.of(bdt, from, to));
    }
}
