// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;

/**
 * A file or directory of the namespace.
 *
 * @param version of a file; for a directory its id with generation 0
 * @param attributes a directory's length is 0
 * @param state the place of a file's bytes
 * @param isInherited true if a clone of a directory shows the entry and has no own one yet. Its id is the origin's,
 *     until a change of it, or of an entry below it, gives it another one
 * @param cloneId the number of the clone that shows a file with several names. Names with equal number and file id lead
 *     to one file; 0 for all other entries
 */
public record FileStatus(
        FilePath path,
        FileVersion version,
        FileAttributes attributes,
        State state,
        RareAttributes extras,
        boolean isInherited,
        long cloneId) {
    /** Makes the status of an own entry, with extras. */
    public FileStatus(
            FilePath path, FileVersion version, FileAttributes attributes, State state, RareAttributes extras) {
        this(path, version, attributes, state, extras, false, 0);
    }

    /** The place of the bytes. */
    public enum State {
        DIRECTORY,
        BUFFERED,
        PACKED,
        LOST,
        /** The bytes are in contents that other files may share. */
        MAPPED
    }

    /** Makes the status of an own entry without extras. */
    public FileStatus(FilePath path, FileVersion version, FileAttributes attributes, State state) {
        this(path, version, attributes, state, RareAttributes.NONE, false, 0);
    }

    /** Returns this status as shown by a clone without an own entry. */
    public FileStatus inherited(long by) {
        return new FileStatus(path, version, attributes, state, extras, true, by);
    }

    public boolean isDirectory() {
        return state == State.DIRECTORY;
    }
}
