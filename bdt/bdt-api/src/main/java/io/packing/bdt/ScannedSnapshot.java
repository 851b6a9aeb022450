package io.packing.bdt;

import io.packing.blob.FilePath;

/** A snapshot that can be read. */
public record ScannedSnapshot(FilePath directory, String name) {
    /** Where what it sees is read. */
    public FilePath path() {
        return directory.child(FilePath.SNAPSHOTS).child(name);
    }
}
