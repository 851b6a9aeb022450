// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The entries of a store at one moment, despite later writes, with every engine. */
class SortedViewTest {
    @TempDir
    private Path temp;

    private SortedStore open(SortedStoreOptions.Engine engine) throws IOException {
        return SortedStores.open(temp.resolve("s"), SortedStoreContract.config(engine, 0));
    }

    @ParameterizedTest
    @EnumSource(SortedStoreOptions.Engine.class)
    void viewHasTheEntriesOfOneMoment(SortedStoreOptions.Engine engine) throws IOException {
        byte[] kept = {1};
        byte[] added = {2};
        try (SortedStore store = open(engine)) {
            store.write(new WriteBatch().put(kept, new byte[] {1}), SortedStore.Sync.NONE);
            try (SortedView view = store.view()) {
                store.write(
                        new WriteBatch().put(kept, new byte[] {9}).put(added, new byte[] {2}), SortedStore.Sync.NONE);
                assertThat(view.get(kept)).contains(new byte[] {1});
                assertThat(view.get(added)).isEmpty();
                try (Cursor cursor = view.scan(new byte[0], new byte[0])) {
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.value()).containsExactly(1);
                    assertThat(cursor.next()).isFalse();
                }
                assertThat(store.get(kept)).contains(new byte[] {9});
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SortedStoreOptions.Engine.class)
    void viewEndsWithItsCloseAndWithThatOfItsStore(SortedStoreOptions.Engine engine) throws IOException {
        SortedStore store = open(engine);
        SortedView closed = store.view();
        closed.close();
        assertThatIllegalStateException().isThrownBy(() -> closed.get(new byte[] {1}));
        SortedView left = store.view();
        store.close();
        assertThatIllegalStateException().isThrownBy(() -> left.get(new byte[] {1}));
        // No native object is released a second time.
        left.close();
        closed.close();
    }
}
