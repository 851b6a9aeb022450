// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.JournalBytes;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The journal of the changes that a recovery must know. When a recovery replays a journal, what it changes is in that journal
 * already, but for directories that it makes because something is in them. Confined to the writer thread.
 */
public final class Journal {
    private final WriteSet rows;
    private final long recoveredAt;
    private final boolean replayed;
    private final List<JournalEntry.Remade> remade = new ArrayList<>();

    /** @param replayed whether the mutations are those of a journal that is replayed */
    Journal(WriteSet rows, Recoveries recoveries, boolean replayed) {
        this.rows = rows;
        this.recoveredAt = recoveries.lossesSince();
        this.replayed = replayed;
    }

    boolean isReplayed() {
        return replayed;
    }

    /** Returns whether workers may come back with files that a recovery does not know. */
    boolean awaitsLostFiles() throws IOException {
        return replayed || (recoveredAt > 0 && recoveredAt > Recoveries.endedAt(rows));
    }

    void add(long position, JournalEntry entry) throws IOException {
        if (!replayed) {
            add(position, entry, entry.isHistory() && awaitsLostFiles());
        } else if (entry instanceof JournalEntry.Remade made) {
            remade.add(made);
        }
    }

    /** Adds an entry that the recoveries of the future have to know, whatever was lost until now: one a worker's start at most. */
    void addRefused(long position, JournalEntry.Ended entry) {
        add(position, entry, true);
    }

    private void add(long position, JournalEntry entry, boolean isHistory) {
        byte[] row = JournalBytes.encode(entry);
        rows.put(Keys.numbered(Keys.JOURNAL, position), row);
        if (isHistory) {
            rows.put(Keys.numbered(Keys.HISTORY, position), row);
        }
    }

    /** Returns the directories that a replay made and that its journal does not have. */
    public List<JournalEntry.Remade> remade() {
        return remade;
    }
}
