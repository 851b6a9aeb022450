// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fragmented files after the loss of the table, of a journal, and of a row. */
class FragmentedRecoveryTest extends MountFixture {
    private static final FilePath FILE = new FilePath("/f");
    private static final int PIECE = 8;

    private int pieces;

    FragmentedRecoveryTest() {
        stores.maps = TestStores.ROWS;
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    /** Claims a file of one piece, which is a content from now on; returns its id. */
    private long piece() throws IOException {
        do {
            claim("/p" + ++pieces);
        } while (buffered.get(buffered.size() - 1).attributes().length() != PIECE);
        return buffered.get(buffered.size() - 1).version().id();
    }

    /** Writes a new piece into the file, and uploads the journal; returns the id of the content. */
    private long write(int at) throws IOException {
        long id = piece();
        FilePath from = new FilePath("/p" + pieces);
        apply(new Operation.CloneRange(new ByteRange(from, 0, PIECE), FILE, (long) at * PIECE));
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        return id;
    }

    private List<Long> contents() throws IOException {
        Placement.Mapped mapped =
                (Placement.Mapped) table.locate(FILE).orElseThrow().placement();
        return mapped.pieces().stream()
                .map(each -> each.content().status().version().id())
                .toList();
    }

    private List<String> told(String kind) throws IOException {
        List<String> told = new ArrayList<>();
        for (ScanProblem each : table.scan(ScanPart.FILES, "").problems()) {
            if (each.kind().equals(kind)) {
                told.add(each.path());
            }
        }
        return told;
    }

    @Test
    void writesThatOnlyTheJournalHasAreThereAfterTheLossOfTheTable() throws IOException {
        apply(new Operation.CreateFile(FILE, AttributeChange.NONE, false));
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            written.add(write(i));
        }
        table.checkpoint();
        for (int i = 0; i < 10; i += 3) {
            written.set(i, write(i));
        }
        apply(new Operation.Truncate(FILE, 9L * PIECE));
        push(true);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        String version = table.stat(FILE).orElseThrow().version().toString();
        loseMaster();
        assertThat(contents()).isEqualTo(written.subList(0, 9));
        assertThat(table.stat(FILE).orElseThrow().version()).hasToString(version);
        assertThat(rowsOf(Keys.MAP)).isEqualTo(9);
    }

    @Test
    void aFileWithAWriteInAMissingJournalIsToldAsOlder() throws IOException {
        apply(new Operation.CreateFile(FILE, AttributeChange.NONE, false));
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            written.add(write(i));
        }
        push(true);
        table.checkpoint();
        long first = write(0);
        List<String> before = stores.objects.keys("bdt/journal-");
        long second = write(1);
        List<String> missing = new ArrayList<>(stores.objects.keys("bdt/journal-"));
        missing.removeAll(before);
        long third = write(2);
        push(true);
        assertThat(contents()).containsExactly(first, second, third, written.get(3));
        stores.objects.delete(missing);
        loseMaster();
        assertThat(contents()).containsExactly(first, written.get(1), third, written.get(3));
        assertThat(told("older")).contains("/f");
    }

    @Test
    void aMissingRowOfAMapIsTold() throws IOException {
        apply(new Operation.CreateFile(FILE, AttributeChange.NONE, false));
        for (int i = 0; i < 4; i++) {
            assertThat(write(i)).isPositive();
        }
        assertThat(told("row")).isEmpty();
        for (byte kind : new byte[] {Keys.REFERRER, Keys.MAP}) {
            List<byte[]> keys = new ArrayList<>();
            master.openMount(TestStores.MOUNT)
                    .table()
                    .rows()
                    .scan(Keys.kind(kind), Keys.kindEnd(kind), (key, value) -> {
                        if (kind == Keys.MAP || Keys.isPartReferrer(key)) {
                            keys.add(key);
                        }
                        return true;
                    });
            WriteBatch damage = new WriteBatch();
            damage.delete(keys.get(1));
            stores.table().write(damage, SortedStore.Sync.NONE);
            assertThat(told("row")).containsExactly("/f");
        }
    }
}
