package io.packing.bdt;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;

/**
 * A worker's statement that it holds a complete new file.
 *
 * @param fileId from {@link WorkerSession#newFileId}; claiming the same id again is idempotent
 * @param createParents whether missing parent directories are made
 * @param overwrite whether an existing file is replaced; otherwise the claim is refused with {@link Outcome#EXISTS}
 * @param deferred whether an existing file is replaced only when this one is committed: its writer has no answer before
 */
public record Claim(
        long fileId,
        FilePath path,
        FileAttributes attributes,
        boolean createParents,
        boolean overwrite,
        boolean deferred) {
    /** A claim that replaces an existing file at once. */
    public Claim(long fileId, FilePath path, FileAttributes attributes, boolean createParents, boolean overwrite) {
        this(fileId, path, attributes, createParents, overwrite, false);
    }

    public Claim {
        if (fileId <= 0) {
            throw new IllegalArgumentException("bad file id " + fileId);
        }
    }
}
