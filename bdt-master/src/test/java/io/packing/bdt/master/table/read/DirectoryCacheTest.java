// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FileAttributes;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class DirectoryCacheTest {
    private static final int DIRECTORIES = 200;
    private static final long MOST = 100;

    private final TreeStore store = new TreeStore();
    private final DirectoryCache cache = new DirectoryCache(store, MOST);

    private void lookUp(String name, int id) throws IOException {
        Inode directory = new Inode(id, 1, new FileAttributes(0, 0, "", "", 0755), new Inode.Directory());
        store.write(new WriteBatch().put(Keys.entry(1, name), directory.encode()), SortedStore.Sync.NONE);
        assertThat(cache.entry(1, name)).map(Inode::id).contains((long) id);
    }

    @Test
    void shortNamesAreKeptUpToTheirNumber() throws IOException {
        for (int i = 0; i < DIRECTORIES; i++) {
            lookUp("directory-%03d".formatted(i), i + 2);
        }
        assertThat(cache.entries()).isBetween(MOST / 2, MOST * 3 / 2);
    }

    @Test
    void ofLongNamesFewAreKept() throws IOException {
        // A hundred of them would be 12 MB: a client's names must not decide how much memory a master needs.
        for (int i = 0; i < DIRECTORIES; i++) {
            lookUp("%03d".formatted(i) + "n".repeat(10_000), i + 2);
        }
        assertThat(cache.entries()).isLessThanOrEqualTo(1);
    }
}
