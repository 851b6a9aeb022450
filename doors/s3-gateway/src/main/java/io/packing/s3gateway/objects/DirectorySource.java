// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The lookups of a mount's names that a walk over keys needs. */
interface DirectorySource {
    /**
     * Returns a page of a directory, by name.
     *
     * @return empty when the directory does not exist
     */
    Optional<List<FileStatus>> list(FilePath directory, String after, int limit) throws IOException;

    /** Returns the entries at paths, in their order; those that do not exist are left out. */
    List<FileStatus> find(List<FilePath> paths) throws IOException;
}
