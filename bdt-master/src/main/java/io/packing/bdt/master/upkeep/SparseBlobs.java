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
    /**
     * A blob worth compacting.
     *
     * @param live stored bytes that a new blob would take
     * @param dead bytes that the end of the blob gives back
     */
    record Sparse(long number, BlobRow blob, long live, long dead) {
        /** @param inside dead bytes in extents that count as live */
        static Sparse of(long number, BlobRow blob, long inside) {
            long live = Math.max(1, blob.live() - inside);
            return blob.live() == 0
                    ? new Sparse(number, blob, 0, blob.dead())
                    : new Sparse(number, blob, live, blob.withLive(live).dead());
        }
    }

    private final Rows rows;
    private final double below;
    private final CompactionBill bill;
    private final DeadRanges inside;
    private final Set<Long> kept = new HashSet<>();
    private Set<Long> seen = new HashSet<>();

    /**
     * @param below the live share of the contents, under which a blob is sparse
     * @param bill by which a blob has to pay
     * @param inside knows dead bytes in extents that have live ones, too
     */
    SparseBlobs(Rows rows, double below, CompactionBill bill, DeadRanges inside) {
        this.rows = rows;
        this.below = below;
        this.bill = bill;
        this.inside = inside;
    }

    /** Those that were sparse when this was asked the last time, and are; by number. */
    List<Sparse> next() throws IOException {
        List<Sparse> again = new ArrayList<>();
        Set<Long> now = new HashSet<>();
        rows.scan(Keys.kind(Keys.BLOB), Keys.kindEnd(Keys.BLOB), (key, value) -> {
            long number = Keys.number(key);
            Sparse sparse = Sparse.of(number, BlobRow.decode(value), inside.of(number));
            if (isSparse(sparse) && !kept.contains(number)) {
                now.add(number);
                if (seen.contains(number)) {
                    again.add(sparse);
                }
            }
            return true;
        });
        seen = now;
        return again;
    }

    /** A blob that cannot be compacted: it is not offered again, until the next start. */
    void keep(long number) {
        kept.add(number);
    }

    private boolean isSparse(Sparse sparse) {
        // Without live bytes it is the garbage collector's.
        return sparse.blob.settled()
                && sparse.live > 0
                && sparse.live < below * sparse.blob.contents()
                && bill.pays(sparse);
    }
}
