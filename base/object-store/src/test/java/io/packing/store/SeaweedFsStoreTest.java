// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.storeservers.ServerKind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * SeaweedFS 4.48 keeps objects as files of a tree. It shows in three ways, which no key of a mount meets: a listing has
 * a folder as a whole at its name, starts after a folder as a whole, and a backslash counts as a slash.
 */
class SeaweedFsStoreTest extends RealServerContract {
    SeaweedFsStoreTest() {
        super(ServerKind.SEAWEEDFS);
    }

    @Override
    protected List<String> legalNames() {
        return super.legalNames().stream().filter(name -> !name.contains("\\")).toList();
    }

    @Test
    @Override
    void listPagesInUtf8OrderWithinThePrefix() throws IOException {
        List<String> keys = List.of("a/1", "a/1.x", "a/2/3", "a/2/4", "a-", "a.b", "a0");
        for (String key : keys) {
            store.put(key, bytes(key), PutCondition.NONE);
        }
        assertThat(keysOf(store.list("", "", 1_000))).isEqualTo(keys);
        assertThat(keysOf(store.list("a/", "", 1_000))).isEqualTo(keys.subList(0, 4));
        assertThat(keysOf(store.list("a/2", "", 1_000))).containsExactly("a/2/3", "a/2/4");
        for (int limit = 1; limit <= 3; limit++) {
            assertThat(pages("a", limit)).isEqualTo(keys);
        }
    }

    @Test
    @Override
    void listStartsAfterAKeyThatNeedNotExist() throws IOException {
        for (String key : List.of("a/1", "b/1", "b/2/x", "c")) {
            store.put(key, bytes("x"), PutCondition.NONE);
        }
        assertThat(keysOf(store.list("", "b/1", 10))).containsExactly("b/2/x", "c");
        assertThat(keysOf(store.list("", "b/1zzz", 10))).containsExactly("b/2/x", "c");
        assertThat(keysOf(store.list("b/", "a/1", 10))).containsExactly("b/1", "b/2/x");
        assertThat(store.list("", "c", 10)).isEmpty();
    }
}
