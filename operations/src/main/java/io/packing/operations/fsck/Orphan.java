// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.blob.BlobName;

/**
 * A blob of the store that the table does not know, and for which no commit is on its way.
 *
 * @param files that its footer lists; 0: the footer cannot be read either
 * @param lost how many of them the table counts as lost: their bytes may be here
 * @param newer how many of them are versions that the table never gave out: another state of it did
 */
public record Orphan(BlobName name, long length, int files, int lost, int newer) {
    /** The object's key. */
    public String key() {
        return BlobName.FOLDER + name.key();
    }

    /**
     * Returns whether nothing is lost with it: the table has all its files elsewhere, or they are over. A worker leaves such a blob when it is
     * killed after a PUT of which it did not learn the end, and packs the files again.
     */
    public boolean isNeedless() {
        return files > 0 && lost == 0 && newer == 0;
    }

    DamageKind kind() {
        return newer > 0 ? DamageKind.NEWER : DamageKind.ORPHAN;
    }

    String detail() {
        if (files == 0) {
            return "the table does not know the blob, and its footer cannot be read";
        }
        if (newer > 0) {
            return "the table never gave out the versions of %d of its %d files: see docs/recover.md, An older copy of a directory"
                    .formatted(newer, files);
        }
        return "the table does not know the blob, and misses %d of its %d files".formatted(lost, files);
    }
}
