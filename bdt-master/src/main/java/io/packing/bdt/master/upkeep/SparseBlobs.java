// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The blobs with few live bytes, in two passes: pending commits make a blob look sparse for a moment. Confined to the upkeep thread.
 */
final class SparseBlobs {
    /** A blob worth compacting. */
    record Sparse(long number, BlobRow blob) {}

    private final Rows rows;
    private final double below;
    private final long minDeadBytes;
    private final Set<Long> kept = new HashSet<>();
    private Set<Long> seen = new HashSet<>();

    /**
     * @param below the live share of the contents, under which a blob is sparse
     * @param minDeadBytes of which a blob must have that many: a request must give back something
     */
    SparseBlobs(Rows rows, double below, long minDeadBytes) {
        this.rows = rows;
        this.below = below;
        this.minDeadBytes = minDeadBytes;
    }

    /** Those that were sparse when this was asked the last time, and are; by number. */
    List<Sparse> next() throws IOException {
        List<Sparse> again = new ArrayList<>();
        Set<Long> now = new HashSet<>();
        rows.scan(Keys.kind(Keys.BLOB), Keys.kindEnd(Keys.BLOB), (key, value) -> {
            Sparse sparse = new Sparse(Keys.number(key), BlobRow.decode(value));
            if (isSparse(sparse) && !kept.contains(sparse.number)) {
                now.add(sparse.number);
                if (seen.contains(sparse.number)) {
                    again.add(sparse);
                }
            }
            return true;
        });
        seen = now;
        return again;
    }

    /** A blob that cannot be compacted: it is not offered again, until the next start. */
    void keep(Sparse blob) {
        kept.add(blob.number);
    }

    private boolean isSparse(Sparse sparse) {
        BlobRow blob = sparse.blob;
        // Without live bytes it is the garbage collector's.
        return blob.settled()
                && blob.live() > 0
                && blob.live() < below * blob.contents()
                && blob.dead() >= minDeadBytes;
    }
}
