// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.SharedMountOptions;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.JournalBytes;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.SharedOptionsRow;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The changes of a mount's shared options. */
public final class SharedOptionsOperations {
    private SharedOptionsOperations() {}

    /**
     * Sets them, as a mutation of the mount's writer; returns its position.
     *
     * @param urgent whether the store is to have the change with the next upload of the journal, whatever else is in it
     */
    public static long put(Transaction transaction, SharedMountOptions terms, boolean urgent) throws IOException {
        long position = transaction.change().nextPosition();
        write(transaction, terms.set());
        transaction.change().journal(position, new JournalEntry.SharedOptionsSet(terms.set(), urgent));
        return position;
    }

    /** Sets them again, as a journal tells. */
    public static void replay(Transaction transaction, JournalEntry.SharedOptionsSet entry) throws IOException {
        write(transaction, entry.set());
    }

    private static void write(Transaction transaction, SortedMap<String, String> set) throws IOException {
        transaction.rows().put(SharedOptionsRow.KEY, SharedOptionsRow.row(set));
        String key = set.getOrDefault(SharedOptionsRow.KEY_NAME, "");
        if (!key.isEmpty()) {
            transaction.rows().put(SharedOptionsRow.ENCRYPTION, key.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Sets those of a table that was just made, unless a recovery found them. */
    public static void make(SortedStore fresh, SharedMountOptions terms) throws IOException {
        if (fresh.get(SharedOptionsRow.KEY).isPresent()) {
            return;
        }
        Counters counters = fresh.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new);
        SortedMap<String, String> set = new TreeMap<>(terms.set());
        Optional<byte[]> found = fresh.get(SharedOptionsRow.ENCRYPTION);
        found.ifPresent(name -> set.put(SharedOptionsRow.KEY_NAME, new String(name, StandardCharsets.UTF_8)));
        WriteBatch batch = new WriteBatch().put(SharedOptionsRow.KEY, SharedOptionsRow.row(set));
        if (!set.isEmpty()) {
            long position = counters.nextPosition();
            batch.put(
                    Keys.numbered(Keys.JOURNAL, position),
                    JournalBytes.encode(new JournalEntry.SharedOptionsSet(set, false)));
            batch.put(Counters.KEY, counters.encode());
        }
        String key = set.getOrDefault(SharedOptionsRow.KEY_NAME, "");
        if (!key.isEmpty()) {
            batch.put(SharedOptionsRow.ENCRYPTION, key.getBytes(StandardCharsets.UTF_8));
        }
        fresh.write(batch, SortedStore.Sync.FSYNC);
    }
}
