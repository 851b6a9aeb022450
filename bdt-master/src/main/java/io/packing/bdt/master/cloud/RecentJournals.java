// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import java.util.ArrayList;
import java.util.List;

/**
 * The journals that were uploaded since the last backup, and whose entries are still in the table. To leave few objects, an
 * upload may replace the newest journals before it, as an LSM tree merges runs: each one that has at most as many entries as
 * all newer ones together. An entry is uploaded again only when its journal grows to twice its size.
 */
final class RecentJournals {
    /** Fewer are left as they are. */
    private static final int FEW = 16;

    private record Uploaded(MasterObject journal, long entries) {}

    private final List<Uploaded> oldestFirst = new ArrayList<>();

    /**
     * The journals that the next upload takes the place of, oldest first.
     *
     * @param entries that it has of its own
     */
    List<MasterObject> replacedBy(long entries) {
        int from = oldestFirst.size();
        if (from >= FEW) {
            for (long total = entries; from > 0 && oldestFirst.get(from - 1).entries() <= total; from--) {
                total += oldestFirst.get(from - 1).entries();
            }
        }
        return oldestFirst.subList(from, oldestFirst.size()).stream()
                .map(Uploaded::journal)
                .toList();
    }

    /** A journal is in the store, in the place of others. */
    void uploaded(MasterObject journal, long entries, List<MasterObject> replaced) {
        oldestFirst.removeIf(each -> replaced.contains(each.journal()));
        oldestFirst.add(new Uploaded(journal, entries));
    }

    /** The table drops what these have. */
    void clear() {
        oldestFirst.clear();
    }
}
