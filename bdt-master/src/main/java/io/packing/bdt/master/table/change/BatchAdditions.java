// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Staged;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The keys that a batch's mutations added to memory. A failed mutation or an abandoned batch takes its keys back. Confined to
 * the writer thread.
 */
final class BatchAdditions<K> implements Staged {
    private final Consumer<K> takeBack;
    private final List<K> added = new ArrayList<>();
    private int accepted;

    /** @param takeBack removes what was added under a key */
    BatchAdditions(Consumer<K> takeBack) {
        this.takeBack = takeBack;
    }

    void add(K key) {
        added.add(key);
    }

    @Override
    public void accept() {
        accepted = added.size();
    }

    @Override
    public void reject() {
        takeBackFrom(accepted);
    }

    @Override
    public void written() {
        added.clear();
        accepted = 0;
    }

    @Override
    public void abandon() {
        takeBackFrom(0);
        accepted = 0;
    }

    private void takeBackFrom(int index) {
        List<K> last = added.subList(index, added.size());
        last.forEach(takeBack);
        last.clear();
    }
}
