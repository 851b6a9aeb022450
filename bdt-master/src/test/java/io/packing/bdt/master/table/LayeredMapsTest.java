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
import io.packing.bdt.master.table.change.LayerMerge;
import io.packing.bdt.master.table.operation.PastTrim;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapLayer;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of clones and snapshots of fragmented files, which share a map in layers: their cost, their bytes, and their end. */
class LayeredMapsTest {
    private static final FilePath FILE = path("/f");
    private static final FilePath CLONE = path("/g");
    private static final int PIECE = 4_096;

    private final RequestCosts table;

    LayeredMapsTest() throws IOException {
        table = new RequestCosts();
    }

    private long write(FilePath to, long at) throws IOException {
        table.packed(path("/piece"), PIECE);
        return table.limited(range(path("/piece"), 0, PIECE, to, at * PIECE), remove(path("/piece")));
    }

    private void fragments(int count) throws IOException {
        assertThat(table.cost(file(FILE))).isPositive();
        for (int i = 0; i < count; i++) {
            long unused = write(FILE, i);
        }
    }

    private Inode inode(FilePath path) throws IOException {
        return table.transaction.namespace().findFile(path).inode().orElseThrow();
    }

    private Inode.Fragmented place(FilePath path) throws IOException {
        return (Inode.Fragmented) inode(path).place();
    }

    private ReferenceMap map(FilePath path) throws IOException {
        Inode whole = MapRows.whole(table.transaction.rows(), inode(path));
        return ((Inode.Mapped) whole.place()).map();
    }

    private void upkeep() throws IOException {
        boolean[] worked = {true};
        while (worked[0]) {
            int unused = table.upkeep(transaction -> {
                worked[0] = transaction.maps().step() || PastTrim.step(transaction);
                return worked[0];
            });
        }
    }

    /** Merges layers until none can be; returns the number of steps that moved something. */
    private int merge() throws IOException {
        int steps = 0;
        boolean worked = true;
        while (worked) {
            worked = false;
            List<Long> layers = new ArrayList<>();
            table.transaction.rows().scan(MapLayer.key(0), MapLayer.key(Long.MAX_VALUE), (key, value) -> {
                MapLayer.layer(key).ifPresent(layers::add);
                return true;
            });
            for (long layer : layers) {
                int[] moved = new int[1];
                int unused = table.upkeep(transaction -> {
                    moved[0] = LayerMerge.step(transaction, layer);
                    return moved[0] >= 0;
                });
                steps += moved[0] > 0 ? 1 : 0;
                worked |= moved[0] >= 0;
            }
            upkeep();
        }
        return steps;
    }

    private void nothingIsLeft() throws IOException {
        upkeep();
        for (byte kind : new byte[] {Keys.CONTENT, Keys.MAP, Keys.REFERRER, Keys.ENTRY, Keys.INODE, Keys.PAST}) {
            assertThat(table.rows(kind)).as("rows %c", kind).isZero();
        }
    }

    @Test
    void aCloneAndTheFirstWriteAfterASnapshotCostTheSameWithManyFragmentsAsWithFew() throws IOException {
        fragments(1_100);
        long few = table.limited(copy(FILE, CLONE));
        assertThat(table.limited(remove(CLONE))).isPositive();
        for (int i = 1_100; i < 5_000; i++) {
            long unused = write(FILE, i);
        }
        assertThat(table.limited(copy(FILE, CLONE)))
                .isLessThanOrEqualTo(few + 5)
                .isLessThan(60);
        assertThat(table.journalBytes()).isLessThan(150);
        assertThat(table.bytes()).isLessThan(1_000);
        assertThat(table.limited(snapshot(FilePath.ROOT, "s"))).isPositive();
        assertThat(write(FILE, 7)).isLessThan(100);
        assertThat(table.journalBytes()).isLessThan(300);
        assertThat(write(FILE, 8)).isLessThan(100);
        assertThat(map(CLONE).references()).hasSize(5_000);
        assertThat(table.rows(Keys.MAP)).isLessThan(5_020);
    }

    @Test
    void aCloneItsSourceAndSnapshotsOfBothShowWhatEachHad() throws IOException {
        fragments(1_100);
        ReferenceMap first = map(FILE);
        assertThat(table.cost(copy(FILE, CLONE))).isPositive();
        assertThat(map(CLONE)).isEqualTo(first);
        long unused = write(FILE, 3);
        unused = write(CLONE, 5);
        unused = table.limited(new Operation.Truncate(FILE, 1_000L * PIECE));
        ReferenceMap file = map(FILE);
        ReferenceMap clone = map(CLONE);
        assertThat(file.references()).hasSize(1_000);
        assertThat(file.slice(0, 3L * PIECE)).isEqualTo(first.slice(0, 3L * PIECE));
        assertThat(file.slice(3L * PIECE, PIECE)).isNotEqualTo(first.slice(3L * PIECE, PIECE));
        assertThat(clone.slice(3L * PIECE, PIECE)).isEqualTo(first.slice(3L * PIECE, PIECE));
        assertThat(clone.slice(5L * PIECE, PIECE)).isNotEqualTo(first.slice(5L * PIECE, PIECE));
        unused = table.cost(snapshot(FilePath.ROOT, "s"));
        unused = write(FILE, 1_050);
        unused = table.cost(remove(CLONE));
        assertThat(map(path("/.snapshot/s/f"))).isEqualTo(file);
        assertThat(map(path("/.snapshot/s/g"))).isEqualTo(clone);
        // Reads of the test count for the next vector. What is restored from a snapshot shares the map of the row of
        // the past.
        unused = table.cost(RequestCosts.mode(FILE, 0600));
        assertThat(table.limited(copy(path("/.snapshot/s/g"), FILE))).isLessThan(200);
        assertThat(map(FILE)).isEqualTo(clone);
        unused = table.cost(new Operation.DropSnapshot(FilePath.ROOT, "s"));
        upkeep();
        assertThat(merge()).isPositive();
        assertThat(map(FILE)).isEqualTo(clone);
        unused = table.cost(remove(FILE));
        nothingIsLeft();
    }

    @Test
    void aFileWhoseCloneWentIsOneLayerAgain() throws IOException {
        fragments(1_100);
        Inode.Fragmented before = place(FILE);
        assertThat(table.cost(copy(FILE, CLONE))).isPositive();
        for (int i = 0; i < 1_050; i++) {
            long unused = write(FILE, i);
        }
        long unused = table.cost(remove(CLONE));
        ReferenceMap map = map(FILE);
        upkeep();
        assertThat(place(FILE).layer()).isNotZero();
        // 500 references at a time; nothing but the map is changed.
        assertThat(merge()).isEqualTo(3);
        assertThat(place(FILE)).isEqualTo(before);
        assertThat(map(FILE)).isEqualTo(map);
        assertThat(table.rows(Keys.MAP)).isEqualTo(1_100);
        assertThat(table.rows(Keys.REFERRER)).isEqualTo(1_100);
        assertThat(table.rows(Keys.CONTENT)).isEqualTo(1_100);
    }

    @Test
    void theOldestOfManySnapshotsLeavesItsLayerToTheNext() throws IOException {
        fragments(1_100);
        List<ReferenceMap> had = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            had.add(map(FILE));
            assertThat(table.limited(snapshot(FilePath.ROOT, "s" + i))).isPositive();
            assertThat(write(FILE, i)).isLessThan(200);
            if (i >= 10) {
                assertThat(table.limited(new Operation.DropSnapshot(FilePath.ROOT, "s" + (i - 10))))
                        .isPositive();
                upkeep();
                assertThat(merge()).isPositive();
            }
        }
        for (int i = 90; i < 100; i++) {
            assertThat(map(path("/.snapshot/s" + i + "/f"))).isEqualTo(had.get(i));
        }
        assertThat(table.rows(Keys.MAP)).isLessThan(1_200);
    }

    @Test
    void aChainThatIsFullIsCopied() throws IOException {
        fragments(1_100);
        for (int i = 0; i < 64; i++) {
            assertThat(table.limited(copy(FILE, path("/c" + i)))).isLessThan(300);
            long unused = write(FILE, i);
        }
        assertThat(table.limited(copy(FILE, CLONE))).isGreaterThan(1_100);
        assertThat(map(CLONE)).isEqualTo(map(FILE));
        // A copy has its map in its entry.
        assertThat(inode(CLONE).place()).isInstanceOf(Inode.Mapped.class);
        long unused = table.cost(remove(CLONE));
        unused = table.cost(remove(FILE));
        for (int i = 0; i < 64; i++) {
            unused = table.cost(remove(path("/c" + i)));
        }
        nothingIsLeft();
    }
}
