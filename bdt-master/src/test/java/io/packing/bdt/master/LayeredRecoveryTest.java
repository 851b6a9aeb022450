// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapLayer;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clones that share a map in layers, after the loss of the table, of a journal, and of rows. */
class LayeredRecoveryTest extends MountFixture {
    private static final FilePath FILE = new FilePath("/f");
    private static final FilePath CLONE = new FilePath("/g");
    private static final int PIECE = 8;

    private int pieces;

    LayeredRecoveryTest() {
        stores.maps = TestStores.ROWS;
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    /** Writes a new piece into a file; returns the id of the content. */
    private long write(FilePath file, int at) throws IOException {
        do {
            claim("/p" + ++pieces);
        } while (buffered.get(buffered.size() - 1).attributes().length() != PIECE);
        long id = buffered.get(buffered.size() - 1).version().id();
        apply(new Operation.CloneRange(new ByteRange(new FilePath("/p" + pieces), 0, PIECE), file, (long) at * PIECE));
        return id;
    }

    private List<Long> fragmented(int count) throws IOException {
        apply(new Operation.CreateFile(FILE, AttributeChange.NONE, false));
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            written.add(write(FILE, i));
        }
        return written;
    }

    private void cloneFile(FilePath from, FilePath to) throws IOException {
        apply(new Operation.CloneFile(from, to, false, AttributeChange.NONE));
    }

    private void uploadJournal() throws IOException {
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
    }

    private List<Long> contents(FilePath file) throws IOException {
        Placement.Mapped mapped =
                (Placement.Mapped) table.locate(file).orElseThrow().placement();
        return mapped.pieces().stream()
                .map(each -> each.content().status().version().id())
                .toList();
    }

    private List<String> told(ScanPart part, String kind) throws IOException {
        List<String> told = new ArrayList<>();
        for (ScanProblem each : table.scan(part, "").problems()) {
            if (each.kind().equals(kind)) {
                told.add(each.path());
            }
        }
        return told;
    }

    private static List<Long> with(List<Long> contents, int at, long id) {
        List<Long> changed = new ArrayList<>(contents);
        changed.set(at, id);
        return changed;
    }

    @Test
    void clonesThatOnlyTheJournalHasAreThereAfterTheLossOfTheTable() throws IOException {
        List<Long> first = fragmented(6);
        table.checkpoint();
        cloneFile(FILE, CLONE);
        long own = write(FILE, 1);
        apply(new Operation.TakeSnapshot(FilePath.ROOT, "s"));
        long clones = write(CLONE, 2);
        FilePath third = new FilePath("/h");
        cloneFile(new FilePath("/.snapshot/s/g"), third);
        assertThat(table.delete(FILE, false)).isEqualTo(Outcome.DONE);
        push(true);
        uploadJournal();
        String version = table.stat(CLONE).orElseThrow().version().toString();
        loseMaster();
        assertThat(table.stat(CLONE).orElseThrow().version()).hasToString(version);
        assertThat(contents(CLONE)).isEqualTo(with(first, 2, clones));
        assertThat(contents(third)).isEqualTo(first);
        assertThat(contents(new FilePath("/.snapshot/s/f"))).isEqualTo(with(first, 1, own));
        assertThat(contents(new FilePath("/.snapshot/s/g"))).isEqualTo(first);
        for (ScanPart part : ScanPart.values()) {
            assertThat(table.scan(part, "").problems()).as("%s", part).isEmpty();
        }
    }

    @Test
    void aBackupHasLayersAndTheirUses() throws IOException {
        List<Long> first = fragmented(6);
        cloneFile(FILE, CLONE);
        apply(new Operation.TakeSnapshot(FilePath.ROOT, "s"));
        long own = write(FILE, 1);
        push(true);
        table.checkpoint();
        long rows = rowsOf(Keys.MAP);
        loseMaster();
        assertThat(rowsOf(Keys.MAP)).isEqualTo(rows);
        assertThat(contents(FILE)).isEqualTo(with(first, 1, own));
        assertThat(contents(CLONE)).isEqualTo(first);
        // Ids of layers go on after those of the backup.
        cloneFile(FILE, new FilePath("/h"));
        long after = write(FILE, 3);
        assertThat(contents(FILE)).isEqualTo(with(with(first, 1, own), 3, after));
        assertThat(contents(new FilePath("/h"))).isEqualTo(with(first, 1, own));
        assertThat(contents(new FilePath("/.snapshot/s/f"))).isEqualTo(first);
    }

    @Test
    void aCloneOfAFileWithAWriteInAMissingJournalIsToldAsOlder() throws IOException {
        List<Long> first = fragmented(4);
        push(true);
        table.checkpoint();
        List<String> before = stores.objects.keys("bdt/journal-");
        long lost = write(FILE, 0);
        uploadJournal();
        List<String> missing = new ArrayList<>(stores.objects.keys("bdt/journal-"));
        missing.removeAll(before);
        cloneFile(FILE, CLONE);
        push(true);
        uploadJournal();
        assertThat(contents(CLONE)).isEqualTo(with(first, 0, lost));
        stores.objects.delete(missing);
        loseMaster();
        assertThat(contents(CLONE)).isEqualTo(first);
        assertThat(told(ScanPart.FILES, "older")).contains("/f", "/g");
    }

    @Test
    void aCloneWithoutItsSourceIsLostAndNotForgotten() throws IOException {
        push(true);
        table.checkpoint();
        List<String> before = stores.objects.keys("bdt/journal-");
        List<Long> unused = fragmented(4);
        uploadJournal();
        List<String> missing = new ArrayList<>(stores.objects.keys("bdt/journal-"));
        missing.removeAll(before);
        cloneFile(FILE, CLONE);
        push(true);
        uploadJournal();
        stores.objects.delete(missing);
        loseMaster();
        assertThat(table.stat(FILE)).isEmpty();
        assertThat(table.stat(CLONE).map(FileStatus::state)).contains(FileStatus.State.LOST);
    }

    @Test
    void aMissingRowOfALayerIsTold() throws IOException {
        for (int missing = 0; missing < 3; missing++) {
            FilePath file = new FilePath("/f" + missing);
            apply(new Operation.CreateFile(file, AttributeChange.NONE, false));
            for (int i = 0; i < 4; i++) {
                assertThat(write(file, i)).isPositive();
            }
            cloneFile(file, new FilePath("/g" + missing));
        }
        assertThat(told(ScanPart.FILES, "row")).isEmpty();
        List<byte[]> frozen = new ArrayList<>();
        List<byte[]> uses = new ArrayList<>();
        master.openMount(TestStores.MOUNT)
                .table()
                .rows()
                .scan(MapLayer.key(0), MapLayer.key(Long.MAX_VALUE), (key, value) -> {
                    boolean isLayer = MapLayer.layer(key).isPresent();
                    if (!isLayer) {
                        uses.add(key);
                    } else if (MapLayer.layer(key).getAsLong() < MapLayer.FIRST_ID) {
                        frozen.add(key);
                    }
                    return true;
                });
        assertThat(frozen).hasSize(3);
        assertThat(uses).hasSize(6);
        WriteBatch damage = new WriteBatch();
        damage.delete(frozen.get(0));
        damage.delete(uses.get(2));
        damage.delete(Keys.pair(Keys.MAP, Keys.secondNumber(frozen.get(2)), PIECE));
        stores.table().write(damage, SortedStore.Sync.NONE);
        List<String> told = told(ScanPart.FILES, "row");
        assertThat(told).contains("/f0", "/g0", "/f1");
        assertThat(told).containsAnyOf("/f2", "/g2");
    }
}
