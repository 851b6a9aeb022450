package io.packing.hadoop;

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

/** Changes of files and directories as a whole, each of them one vector: renames that replace something. */
final class EntryChanges {
    private final Bdt bdt;
    private final UserPaths paths;

    EntryChanges(Bdt bdt, UserPaths paths) {
        this.bdt = bdt;
        this.paths = paths;
    }

    /** Moves a file or a directory. It takes the place of a file, or of an empty directory; there is always one of them. */
    void replace(Path source, Path destination) throws IOException {
        FilePath from = paths.toChange(source);
        FilePath to = paths.toChange(destination);
        if (apply(source, new Operation.Rename(from, to, true)) == Outcome.DONE) {
            return;
        }
        // Nothing was changed: what is there tells what is right now, or why nothing is.
        FileStatus moved = bdt.stat(from).orElseThrow(() -> new FileNotFoundException(source + " not found"));
        if (from.equals(to)) {
            throw new FileAlreadyExistsException(
                    "the source %s and the destination %s are the same".formatted(source, destination));
        }
        Optional<FileStatus> there = bdt.stat(to);
        if (there.isPresent() && there.get().isDirectory() != moved.isDirectory()) {
            throw new PathIOException(
                    destination.toString(), "is not what %s is: a file or a directory".formatted(source));
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

    private Outcome apply(Path about, Operation... operations) throws IOException {
        VectorResult result = Refusals.named(about, () -> bdt.apply(OperationVector.of(operations)));
        return result instanceof VectorResult.Refused refused ? refused.reason() : Outcome.DONE;
    }
}
