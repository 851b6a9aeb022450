// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/** Changes of files and directories as a whole, each of them one vector: renames that replace something, and copies. */
final class EntryChanges {
    private final Bdt bdt;
    private final UserPaths paths;

    EntryChanges(Bdt bdt, UserPaths paths) {
        this.bdt = bdt;
        this.paths = paths;
    }

    /**
     * Moves a file or a directory to where nothing is, in one request: of several clients that rename to one path, one succeeds.
     *
     * @throws FileAlreadyExistsException when something is at the destination; writers of table formats then try the next version
     */
    void move(Path source, Path destination) throws IOException {
        FilePath from = paths.toChange(source);
        FilePath to = paths.toChange(destination);
        Outcome outcome = apply(source, new Operation.Rename(from, to, false));
        if (outcome != Outcome.DONE && from.equals(to)) {
            throw same(source, destination);
        }
        switch (outcome) {
            case DONE -> {}
            case NOT_FOUND -> throw new FileNotFoundException(source + " not found");
            case NO_PARENT -> throw new FileNotFoundException("the directory of %s not found".formatted(destination));
            default -> throw Refusals.of(destination, outcome, "the target of a rename of %s".formatted(source));
        }
    }

    private static FileAlreadyExistsException same(Path source, Path destination) {
        return new FileAlreadyExistsException(
                "the source %s and the destination %s are the same".formatted(source, destination));
    }

    /**
     * Moves a file or a directory. It takes the place of a file, or of an empty directory: at each moment the destination
     * has the old or the new one.
     */
    void replace(Path source, Path destination) throws IOException {
        FilePath from = paths.toChange(source);
        FilePath to = paths.toChange(destination);
        if (apply(source, new Operation.Rename(from, to, true)) == Outcome.DONE) {
            return;
        }
        // Nothing was changed: the present entries decide the result, or the error.
        FileStatus moved = bdt.stat(from).orElseThrow(() -> new FileNotFoundException(source + " not found"));
        if (from.equals(to)) {
            throw same(source, destination);
        }
        Optional<FileStatus> there = bdt.stat(to);
        if (there.isPresent() && there.get().isDirectory() != moved.isDirectory()) {
            throw new PathIOException(
                    destination.toString(), "is not of the kind of %s: a file or a directory".formatted(source));
        }
        boolean directory = there.isPresent() && !to.isRoot() && !from.isRoot();
        Outcome outcome = directory && moved.isDirectory()
                ? apply(source, new Operation.Delete(to, false), new Operation.Rename(from, to, false))
                : apply(source, new Operation.Rename(from, to, true));
        if (outcome == Outcome.NOT_EMPTY) {
            throw new PathIsNotEmptyDirectoryException(destination.toString());
        }
        if (outcome != Outcome.DONE) {
            throw Refusals.of(destination, outcome, "replaced by " + source);
        }
    }

    /** Makes a file or a directory that has the bytes of another one, which are there once. */
    void copy(Path source, Path destination) throws IOException {
        FilePath from = paths.inMount(source);
        FilePath to = paths.toChange(destination);
        FileStatus copied = bdt.stat(from).orElseThrow(() -> new FileNotFoundException(source + " not found"));
        if (copied.isDirectory() ? from.contains(to) : from.equals(to)) {
            throw new PathIOException(
                    source.toString(), "is or has in it %s: copy it elsewhere".formatted(destination));
        }
        Outcome outcome = apply(
                source,
                copied.isDirectory()
                        ? new Operation.CloneDirectory(from, to)
                        : new Operation.CloneFile(from, to, false, AttributeChange.NONE));
        if (outcome == Outcome.NO_PARENT) {
            throw new FileNotFoundException("the directory of %s not found".formatted(destination));
        }
        if (outcome != Outcome.DONE) {
            throw Refusals.of(destination, outcome, "a copy of " + source);
        }
    }

    private Outcome apply(Path about, Operation... operations) throws IOException {
        VectorResult result = Refusals.named(about, () -> bdt.apply(OperationVector.of(operations)));
        return result instanceof VectorResult.Refused refused ? refused.reason() : Outcome.DONE;
    }
}
