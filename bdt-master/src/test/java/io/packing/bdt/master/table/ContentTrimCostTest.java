// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static io.packing.bdt.master.table.RequestCosts.each;
import static io.packing.bdt.master.table.RequestCosts.file;
import static io.packing.bdt.master.table.RequestCosts.path;
import static io.packing.bdt.master.table.RequestCosts.range;
import static io.packing.bdt.master.table.RequestCosts.remove;
import static io.packing.bdt.master.table.RequestCosts.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.master.table.operation.ContentTrim;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The look for unused bytes of contents that the past of a file with many fragments has. */
class ContentTrimCostTest {
    private static final FilePath FILE = path("/volume");
    private static final FilePath PIECE = path("/piece");
    private static final int BLOCK = 4_096;
    /** Few enough that the past has a copy of the map, and no layer. */
    private static final int BLOCKS = 24;

    private static final int CONTENTS = 40;

    /** Writes the blocks of one content to places that are far from each other, as a flush of a block device does. */
    private static void write(RequestCosts table, int number) throws IOException {
        int length = BLOCKS * BLOCK;
        long blob = table.transaction.blobs().number(new BlobName("w", 1_000_000, 1));
        Extent extent = new Extent(0, length, 16, length, Codec.NONE, 0);
        table.claimed(PIECE, length, Inode.Packed.of(List.of(new Inode.StoredExtent(blob, extent))));
        List<Operation> ranges = each(
                BLOCKS,
                block -> range(PIECE, (long) block * BLOCK, BLOCK, FILE, ((long) block * CONTENTS + number) * BLOCK));
        assertThat(table.cost(ranges)).isPositive();
        assertThat(table.cost(remove(PIECE))).isPositive();
    }

    @Test
    void theMapOfThePastIsReadOnceForAllContentsOfAStep() throws IOException {
        RequestCosts table = new RequestCosts();
        assertThat(table.cost(file(FILE))).isPositive();
        for (int i = 0; i < CONTENTS; i++) {
            write(table, i);
        }
        assertThat(table.cost(snapshot(FilePath.ROOT, "s"))).isPositive();
        for (int i = 0; i < CONTENTS; i++) {
            write(table, i);
        }
        assertThat(table.rows(Keys.TRIM)).isGreaterThanOrEqualTo(CONTENTS);
        long before = table.gets(Keys.PAST);
        assertThat(table.upkeep(ContentTrim::step)).isPositive();
        assertThat(table.gets(Keys.PAST) - before).isEqualTo(1);
        assertThat(table.rows(Keys.TRIM)).isZero();
    }
}
