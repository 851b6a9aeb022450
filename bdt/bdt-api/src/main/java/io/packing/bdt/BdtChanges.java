// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import java.io.IOException;

/**
 * Changes of a mount's namespace and of the bytes that its files share. Thread-safe. Every change, when it returns, is durable in the master's
 * log to the degree of the mount's durability. Any method throws {@link UnavailableException} when the master is unreachable for longer
 * than the client's timeout, {@link DeniedException} when the caller lacks a right, and {@link QuotaExceededException} when a directory's
 * quota would be exceeded.
 */
public interface BdtChanges {
    /** Creates a directory, with its parents if asked; {@link Outcome#EXISTS} when it exists already. */
    Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) throws IOException;

    /** Deletes a file, or a directory (with all below it when recursive). */
    Outcome delete(FilePath path, boolean recursive) throws IOException;

    /** Moves a file or a directory, by one write. The destination must not exist, its parent must. */
    Outcome rename(FilePath from, FilePath to) throws IOException;

    /** Changes the attributes that the change names. */
    Outcome setAttributes(FilePath path, AttributeChange change) throws IOException;

    /**
     * Sets or clears the quota of a directory; only superusers may. Present names and bytes stay, even beyond the
     * limit.
     */
    Outcome setQuota(FilePath directory, QuotaChange change) throws IOException;

    /** Applies all operations of a vector, or none of them. */
    VectorResult apply(OperationVector vector) throws IOException;
}
