// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.List;
import java.util.Optional;

/**
 * A file or a content in a table.
 *
 * @param directory of a file; empty: it was removed and is being cleaned up, or this is a content
 * @param name in the directory
 * @param worker of a buffered or lost file
 * @param extents of a packed one, unchecked: they may not cover the length
 * @param present of a content: true if a present file has some of it; of a file: true
 * @param links the number of names, for a file that has or had several; 0: it has one
 */
public record ScannedFile(
        Optional<FilePath> directory,
        String name,
        FileVersion version,
        long length,
        FileStatus.State state,
        String worker,
        List<NumberedExtent> extents,
        boolean present,
        int links) {
    public ScannedFile {
        extents = List.copyOf(extents);
    }

    /** Returns its path; empty: it is in no directory. */
    public Optional<FilePath> path() {
        return directory.map(parent -> parent.child(name));
    }
}
