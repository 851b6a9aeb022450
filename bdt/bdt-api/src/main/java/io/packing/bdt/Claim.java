package io.packing.bdt;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;

/**
 * A worker's statement that it holds a complete new file.
 *
 * @param fileId from {@link WorkerSession#newFileId}; claiming the same id again is idempotent
 * @param createParents whether missing parent directories are made
 * @param overwrite whether an existing file is replaced; otherwise the claim is refused with {@link Outcome#EXISTS}
 */
public record Claim(long fileId, FilePath path, FileAttributes attributes, boolean createParents, boolean overwrite) {
    public Claim {
        if (fileId <= 0) {
            throw new IllegalArgumentException("bad file id " + fileId);
        }
    }
}
