// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.ScannedBlob;
import io.packing.blob.BlobName;

/** A blob of the table, and what was found of it. Confined to one thread, but for what does not change. */
final class BlobState {
    private static final long ABSENT = -1;

    private final long number;
    private final BlobName name;
    private final long length;
    private final long live;
    private final boolean settled;
    private long found = ABSENT;
    private long counted;

    BlobState(ScannedBlob row) {
        this.number = row.number();
        this.name = row.name();
        this.length = row.length();
        this.live = row.live();
        this.settled = row.settled();
    }

    long number() {
        return number;
    }

    BlobName name() {
        return name;
    }

    /** As the table has it. */
    long length() {
        return length;
    }

    /** The live bytes as the table counts them. */
    long live() {
        return live;
    }

    boolean isSettled() {
        return settled;
    }

    /** The object's key. */
    String key() {
        return BlobName.FOLDER + name.key();
    }

    void found(long objectLength) {
        found = objectLength;
    }

    boolean isMissing() {
        return found == ABSENT;
    }

    /** The length of the object. */
    long objectLength() {
        return found;
    }

    /** Counts stored bytes that files have. */
    void count(long bytes) {
        counted += bytes;
    }

    long counted() {
        return counted;
    }
}
