// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static io.packing.bdt.master.table.RequestCosts.copy;
import static io.packing.bdt.master.table.RequestCosts.file;
import static io.packing.bdt.master.table.RequestCosts.path;
import static io.packing.bdt.master.table.RequestCosts.range;
import static io.packing.bdt.master.table.RequestCosts.remove;
import static io.packing.bdt.master.table.RequestCosts.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Writes in place to files of few and of many fragments, and their deletion. */
class FragmentedWriteTest {
    private static final FilePath FILE = path("/f");
    private static final int PIECE = 4_096;

    /** Writes a piece of the file, as a client does: the bytes come in a file of their own. */
    private static long write(RequestCosts table, long at) throws IOException {
        table.packed(path("/piece"), PIECE);
        return table.limited(range(path("/piece"), 0, PIECE, FILE, at), remove(path("/piece")));
    }

    /** Makes a file of which each piece is in a content of its own. */
    private static void fragments(RequestCosts table, int count) throws IOException {
        assertThat(table.cost(file(FILE))).isPositive();
        for (int i = 0; i < count; i++) {
            long unused = write(table, (long) i * PIECE);
        }
    }

    private static Inode inode(RequestCosts table) throws IOException {
        return table.transaction.namespace().find(FILE).inode().orElseThrow();
    }

    private record Cost(long units, long bytes, long journalBytes) {
        static Cost of(RequestCosts table, long at) throws IOException {
            long units = write(table, at);
            return new Cost(units, table.bytes(), table.journalBytes());
        }
    }

    @Test
    void aWriteCostsTheSameWithManyFragmentsAsWithFew() throws IOException {
        RequestCosts few = new RequestCosts();
        fragments(few, 100);
        Cost small = Cost.of(few, 50L * PIECE);
        RequestCosts many = new RequestCosts();
        fragments(many, 10_000);
        assertThat(inode(many).place()).isEqualTo(new Inode.Fragmented(10_000));
        for (int at : new int[] {0, 7, 4_999, 9_999}) {
            Cost large = Cost.of(many, (long) at * PIECE);
            assertThat(large.units()).isLessThanOrEqualTo(small.units() + 5);
            // Numbers of ids, positions and offsets have some digits more.
            assertThat(large.bytes()).isLessThan(small.bytes() + 100);
            assertThat(large.journalBytes()).isLessThan(small.journalBytes() + 40);
        }
        assertThat(small.journalBytes()).isLessThan(300);
        // Neither a content nor a row of a fragment is left behind.
        assertThat(many.rows(Keys.CONTENT)).isEqualTo(10_000);
        assertThat(many.rows(Keys.MAP)).isEqualTo(10_000);
        assertThat(many.rows(Keys.REFERRER)).isEqualTo(10_000);
    }

    @Test
    void aFileOfManyFragmentsIsDeletedInBoundedSteps() throws IOException {
        RequestCosts table = new RequestCosts();
        fragments(table, 5_000);
        assertThat(table.cost(remove(FILE))).isLessThan(10_000);
        int most = 0;
        int steps = 0;
        for (int rows = 1; rows > 0; steps++) {
            rows = table.upkeep(transaction -> transaction.maps().step());
            most = Math.max(most, rows);
        }
        assertThat(steps).isBetween(9, 12);
        assertThat(most).isLessThan(3_000);
        for (byte kind : new byte[] {Keys.CONTENT, Keys.MAP, Keys.REFERRER, Keys.ENTRY, Keys.INODE}) {
            assertThat(table.rows(kind)).as("rows %c", kind).isZero();
        }
    }

    @Test
    void aFileThatIsCutBackToFewFragmentsHasItsMapInItsEntryAgain() throws IOException {
        RequestCosts table = new RequestCosts();
        fragments(table, 65);
        assertThat(inode(table).place()).isInstanceOf(Inode.Fragmented.class);
        assertThat(table.cost(new Operation.Truncate(FILE, 32L * PIECE))).isPositive();
        assertThat(inode(table).place()).isInstanceOf(Inode.Fragmented.class);
        assertThat(table.cost(new Operation.Truncate(FILE, 31L * PIECE))).isPositive();
        assertThat(inode(table).place()).isInstanceOf(Inode.Mapped.class);
        assertThat(table.rows(Keys.MAP)).isZero();
        assertThat(table.rows(Keys.REFERRER)).isEqualTo(31);
        assertThat(table.rows(Keys.CONTENT)).isEqualTo(31);
    }

    @Test
    void aFileOfManyFragmentsIsClonedAndChangedBesideASnapshotWithinTheLimitsOfARequest() throws IOException {
        RequestCosts table = new RequestCosts();
        fragments(table, 70_000);
        assertThat(table.limited(snapshot(FilePath.ROOT, "s"))).isPositive();
        assertThat(write(table, 4L * PIECE)).isLessThan(1_000);
        assertThat(write(table, 5L * PIECE)).isLessThan(1_000);
        assertThat(table.limited(copy(FILE, path("/g")))).isPositive();
        assertThat(table.limited(remove(path("/g")))).isPositive();
        assertThat(table.limited(new Operation.Truncate(FILE, 1))).isPositive();
    }
}
