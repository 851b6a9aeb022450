// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.blob.BlobName;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class BlobNamesTest {
    private static final BlobName FIRST = new BlobName("w", 100, 1);
    private static final BlobName SECOND = new BlobName("w", 100, 2);

    private final TreeStore store = new TreeStore();
    private final BlobNames names = new BlobNames(new StoreRows(store));

    private void put(long number, BlobName name) throws IOException {
        store.write(
                new WriteBatch().put(Keys.numbered(Keys.BLOB, number), new BlobRow(name, 100, 100, true, 0).encode()),
                SortedStore.Sync.NONE);
    }

    @Test
    void aNameIsReadOnce() throws IOException {
        put(1, FIRST);
        put(2, SECOND);
        assertThat(names.name(1)).isEqualTo(FIRST);
        store.write(new WriteBatch().delete(Keys.numbered(Keys.BLOB, 1)), SortedStore.Sync.NONE);
        assertThat(names.name(1)).isEqualTo(FIRST);
        assertThat(names.name(2)).isEqualTo(SECOND);
    }

    @Test
    void anUnknownNumberIsAskedForAgain() throws IOException {
        // A number of a mutation that is taken back is given again, to another blob.
        assertThatThrownBy(() -> names.name(1))
                .isInstanceOf(ContradictionException.class)
                .hasMessageContaining("blob 1");
        put(1, SECOND);
        assertThat(names.name(1)).isEqualTo(SECOND);
    }
}
