// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import org.jspecify.annotations.Nullable;

/** A file of which others may be duplicates, or which may be one, and what is known of its bytes so far. */
final class DuplicateCandidate {
    private final FilePath path;
    private final FileVersion version;
    private final long length;
    private final long mtimeMillis;
    /** Null: it shares nothing. */
    private final @Nullable ByteMap map;

    private @Nullable Sha256 sha256;

    DuplicateCandidate(FileStatus status, @Nullable ByteMap map) {
        // Not the status: its strings would be most of what a big tree needs in memory.
        this.path = status.path();
        this.version = status.version();
        this.length = status.attributes().length();
        this.mtimeMillis = status.attributes().mtimeMillis();
        this.map = map;
    }

    FilePath path() {
        return path;
    }

    FileVersion version() {
        return version;
    }

    long length() {
        return length;
    }

    long mtimeMillis() {
        return mtimeMillis;
    }

    @Nullable
    ByteMap map() {
        return map;
    }

    /** Null: it was not read. */
    @Nullable
    Sha256 sha256() {
        return sha256;
    }

    void setSha256(Sha256 read) {
        sha256 = read;
    }

    /** Returns whether both files have one place for their bytes. */
    boolean shares(DuplicateCandidate other) {
        return version.equals(other.version) || (map != null && map.equals(other.map));
    }
}
