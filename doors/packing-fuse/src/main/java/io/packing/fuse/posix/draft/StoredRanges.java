// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;

/** The bytes of a published file that are not in holes. */
public final class StoredRanges {
    private StoredRanges() {}

    public static Ranges of(LocatedFile file) {
        Ranges stored = new Ranges();
        if (file.placement() instanceof Placement.Mapped mapped) {
            mapped.pieces().forEach(piece -> stored.add(piece.offset(), piece.end()));
        } else {
            stored.add(0, file.status().attributes().length());
        }
        return stored;
    }
}
