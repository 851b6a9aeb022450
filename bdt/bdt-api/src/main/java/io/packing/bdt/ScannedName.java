package io.packing.bdt;

import io.packing.blob.FilePath;
import java.util.Optional;

/**
 * A name of a file that has, or had, several.
 *
 * @param directory empty: it was removed and is being cleaned up; the name counts until then
 * @param name in the directory
 * @param file id of the file
 * @param count names that it stands for: a clone of a directory has a row for all names that are no entries of its own yet
 */
public record ScannedName(Optional<FilePath> directory, String name, long file, int count) {
    /** One name. */
    public ScannedName(Optional<FilePath> directory, String name, long file) {
        this(directory, name, file, 1);
    }

    /** Where it is; empty: in no directory. */
    public Optional<FilePath> path() {
        return directory.map(parent -> parent.child(name));
    }
}
