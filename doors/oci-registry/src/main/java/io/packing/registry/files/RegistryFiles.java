// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that a registry needs of a mount. Thread-safe. */
public interface RegistryFiles {
    /** Bytes up to which a new file is packed into a blob with others; a larger one has blobs, and so PUTs, of its own. */
    long packedBytes();

    /** Returns the entry at a path. */
    Optional<FileStatus> stat(FilePath path) throws IOException;

    /** Opens a file; {@link java.io.FileNotFoundException} when it is missing. */
    PackingInput open(FilePath path) throws IOException;

    /** Starts a file, which appears when it is closed. The directories above it are made. Nothing may be there. */
    PackingOutput create(FilePath path) throws IOException;

    /**
     * Returns a page of a directory, by name.
     *
     * @param after the last name of the page before; empty: the first page
     * @return empty when the directory is missing
     */
    Optional<List<FileStatus>> list(FilePath directory, String after, int limit) throws IOException;

    /** Returns the extended attributes of the entry at a path by name; empty when the path has none. */
    Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException;

    /** Changes all that a vector says, or nothing. */
    VectorResult apply(OperationVector vector) throws IOException;
}
