// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;

/** A snapshot that clients can read. */
public record ScannedSnapshot(FilePath directory, String name) {
    /** Returns the path of its tree. */
    public FilePath path() {
        return directory.child(FilePath.SNAPSHOTS).child(name);
    }
}
