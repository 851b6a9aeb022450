package io.packing.bdt;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;

/**
 * A file or directory of the namespace.
 *
 * @param version of a file; for a directory its id with generation 0
 * @param attributes a directory's length is 0
 * @param state where a file's bytes are
 * @param isInherited whether a clone of a directory shows it and has no entry of its own yet: its id is that of what it is a clone of,
 *     until a change of it, or of something below it, gives it another one
 * @param cloneId of a file with several names that a clone of a directory shows: which clone, as a number. Names that have this
 *     number and the file's id lead to one file; 0 for all else
 */
public record FileStatus(
        FilePath path,
        FileVersion version,
        FileAttributes attributes,
        State state,
        FileExtras extras,
        boolean isInherited,
        long cloneId) {
    /** What has an entry of its own, and maybe extras. */
    public FileStatus(FilePath path, FileVersion version, FileAttributes attributes, State state, FileExtras extras) {
        this(path, version, attributes, state, extras, false, 0);
    }

    /** Where the bytes are. */
    public enum State {
        DIRECTORY,
        BUFFERED,
        PACKED,
        LOST,
        /** In contents that other files may share. */
        MAPPED
    }

    /** What has an entry of its own. */
    public FileStatus(FilePath path, FileVersion version, FileAttributes attributes, State state) {
        this(path, version, attributes, state, FileExtras.NONE, false, 0);
    }

    /** As a clone shows it that has no entry of its own for it. */
    public FileStatus inherited(long by) {
        return new FileStatus(path, version, attributes, state, extras, true, by);
    }

    public boolean isDirectory() {
        return state == State.DIRECTORY;
    }
}
