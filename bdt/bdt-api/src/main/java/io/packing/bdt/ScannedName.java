// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import java.util.Optional;

/**
 * A name of a file that has, or had, several.
 *
 * @param directory empty: it was removed and is being cleaned up; the name counts until then
 * @param name in the directory
 * @param file id of the file
 * @param count of the names in this row: a clone of a directory has one row for all names that are no entries of its
 *     own yet
 */
public record ScannedName(Optional<FilePath> directory, String name, long file, int count) {
    /** Makes a row of one name. */
    public ScannedName(Optional<FilePath> directory, String name, long file) {
        this(directory, name, file, 1);
    }

    /** Returns its path; empty: it is in no directory. */
    public Optional<FilePath> path() {
        return directory.map(parent -> parent.child(name));
    }
}
