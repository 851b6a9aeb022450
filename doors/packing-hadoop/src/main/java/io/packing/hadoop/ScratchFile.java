package io.packing.hadoop;

import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.PathIOException;

/**
 * A file that holds what is appended to another one, until one vector moves its bytes there (ANViL §5.3: an area for scratch
 * data, and one atomic move).
 */
final class ScratchFile {
    private final Bdt bdt;
    private final FileStatus target;
    private final FilePath path = FilePath.SCRATCH.child(UUID.randomUUID().toString());

    /** @param target as it was when it was opened */
    ScratchFile(Bdt bdt, FileStatus target) {
        this.bdt = bdt;
        this.target = target;
    }

    FilePath path() {
        return path;
    }

    /** Moves the bytes to the end of the target, unless the target is another version by now; the scratch file is gone in both cases. */
    void append() throws IOException {
        long length = bdt.stat(path)
                .orElseThrow(() -> new PathIOException(path.value(), "the scratch file is gone"))
                .attributes()
                .length();
        // It may have been renamed; it is the same file as long as it is the same version.
        FilePath now =
                bdt.locate(target.version()).map(found -> found.status().path()).orElse(target.path());
        Operation delete = new Operation.Delete(path, false);
        List<Operation> operations = length == 0
                ? List.of(delete)
                : List.of(
                        new Operation.CloneRange(
                                new ByteRange(path, 0, length),
                                now,
                                target.attributes().length()),
                        delete);
        VectorResult result = bdt.apply(
                new OperationVector(List.of(new Precondition.SameVersion(now, target.version())), operations));
        if (result instanceof VectorResult.Refused refused) {
            boolean deleted = bdt.apply(OperationVector.of(delete)) instanceof VectorResult.Applied;
            throw new PathIOException(
                    target.path().value(),
                    "changed while it was appended to (%s): nothing was appended%s"
                            .formatted(refused.reason(), deleted ? "" : ", and " + path + " is left"));
        }
    }
}
