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
 */
public record FileStatus(
        FilePath path, FileVersion version, FileAttributes attributes, State state, FileExtras extras) {
    /** One of what most files are. */
    public FileStatus(FilePath path, FileVersion version, FileAttributes attributes, State state) {
        this(path, version, attributes, state, FileExtras.NONE);
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

    public boolean isDirectory() {
        return state == State.DIRECTORY;
    }
}
