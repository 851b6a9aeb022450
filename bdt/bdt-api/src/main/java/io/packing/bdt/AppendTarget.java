// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.List;

/**
 * The file that gets the bytes of a claimed one at its end, as one mutation with the claim. The claimed name is gone then.
 *
 * @param version that the file has before; another one refuses the claim
 * @param offset from which on the bytes are the file's, up to its new end; at most its length
 */
public record AppendTarget(FilePath path, FileVersion version, long offset) {
    public AppendTarget {
        if (offset < 0) {
            throw new IllegalArgumentException("%s gets bytes at %d".formatted(path, offset));
        }
    }

    /** Returns the vector that appends a claimed file. */
    public OperationVector vector(FilePath claimed, long length) {
        return new OperationVector(
                List.of(new Precondition.SameVersion(path, version)),
                List.of(
                        new Operation.CloneRange(new ByteRange(claimed, 0, length), path, offset),
                        new Operation.Delete(claimed, false)));
    }
}
