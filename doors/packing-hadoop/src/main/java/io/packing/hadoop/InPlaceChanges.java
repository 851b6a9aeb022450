// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;

/** Changes of the bytes and attributes of files that are there. Each is one mutation, and no byte is copied. */
final class InPlaceChanges {
    /** The most attempts to fence a file: a client that goes on writing may be faster each time, but only by chance. */
    private static final int FENCE_ATTEMPTS = 100;

    private final Bdt bdt;
    private final UserPaths paths;

    InPlaceChanges(Bdt bdt, UserPaths paths) {
        this.bdt = bdt;
        this.paths = paths;
    }

    private FileStatus present(Path file) throws IOException {
        return bdt.stat(paths.toChange(file)).orElseThrow(() -> new FileNotFoundException(file + " not found"));
    }

    /** Returns the status of a file before an append to it. */
    FileStatus toAppend(Path file) throws IOException {
        FileStatus there = present(file);
        if (there.isDirectory()) {
            throw new FileAlreadyExistsException(file + " is a directory");
        }
        return there;
    }

    /** Returns the status of a file whose lease is asked for; refuses in the words of HDFS, which callers know. */
    FileStatus leased(Path file) throws IOException {
        FileStatus there = bdt.stat(paths.inMount(file))
                .orElseThrow(() -> new FileNotFoundException("File does not exist: " + file));
        if (there.isDirectory()) {
            throw new FileNotFoundException("Path is not a file: " + file);
        }
        return there;
    }

    /** Gives a file another version, so that its present writers fail at their next flush. */
    void fence(Path file) throws IOException {
        for (int attempt = 0; attempt < FENCE_ATTEMPTS; attempt++) {
            FileStatus there = leased(file);
            FilePath unused = paths.toChange(file);
            FilePath path = there.path();
            FileAttributes old = there.attributes();
            Operation same = old.length() > 0
                    ? new Operation.CloneRange(new ByteRange(path, 0, 1), path, 0)
                    : new Operation.CreateFile(
                            path,
                            new AttributeChange(
                                    Optional.of(old.owner()), Optional.of(old.group()), OptionalInt.of(old.mode())),
                            true);
            Precondition unchanged = new Precondition.SameVersion(path, there.version());
            if (bdt.apply(new OperationVector(List.of(unchanged), List.of(same))) instanceof VectorResult.Applied) {
                return;
            }
        }
        throw new PathIOException(file.toString(), "is changed all the time: its writers could not be made to stop");
    }

    /** Cuts a file off. */
    void truncate(Path file, long length) throws IOException {
        FileStatus there = present(file);
        if (length < 0 || length > there.attributes().length()) {
            throw new HadoopIllegalArgumentException("%s has %d bytes: it cannot be truncated to %d"
                    .formatted(file, there.attributes().length(), length));
        }
        apply(file, "truncated", OperationVector.of(new Operation.Truncate(there.path(), length)));
    }

    /** Makes the bytes of the sources those of the target; the sources are gone then. */
    void concat(Path target, Path[] sources) throws IOException {
        if (sources.length == 0) {
            throw new HadoopIllegalArgumentException("concat to %s of no files".formatted(target));
        }
        FileStatus there = present(target);
        FilePath to = there.path();
        List<Precondition> preconditions = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        preconditions.add(new Precondition.SameVersion(to, there.version()));
        long end = there.attributes().length();
        Set<FilePath> seen = new HashSet<>();
        for (Path source : sources) {
            FileStatus part = present(source);
            FilePath from = part.path();
            if (from.equals(to) || part.isDirectory() || !seen.add(from)) {
                throw new PathIOException(
                        source.toString(),
                        "is the target, a directory, or named twice: it cannot be a source of concat");
            }
            preconditions.add(new Precondition.SameVersion(from, part.version()));
            long length = part.attributes().length();
            if (length > 0) {
                operations.add(new Operation.CloneRange(new ByteRange(from, 0, length), to, end));
                end += length;
            }
            operations.add(new Operation.Delete(from, false));
        }
        apply(target, "concatenated", new OperationVector(preconditions, operations));
    }

    /** Changes attributes; of a change of nothing, only that the file is there counts. */
    void attributes(Path file, AttributeChange change) throws IOException {
        if (change.equals(AttributeChange.NONE)) {
            FileStatus unused = present(file);
            return;
        }
        Outcome outcome = bdt.setAttributes(paths.toChange(file), change);
        if (outcome == Outcome.NOT_A_DIRECTORY) {
            throw new FileNotFoundException(file + " not found");
        }
        if (outcome != Outcome.DONE) {
            throw Refusals.of(file, outcome, "changed");
        }
    }

    private void apply(Path path, String what, OperationVector vector) throws IOException {
        if (bdt.apply(vector) instanceof VectorResult.Refused refused) {
            throw Refusals.of(path, refused.reason(), what);
        }
    }
}
