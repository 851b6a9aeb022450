package io.packing.bdt.master.table;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.MountTerms;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows of the options that a mount has for all who use it (RFC 0016).
 *
 * <pre>
 * m options      version 1, count, then key and value of each that was set but the key of encryption
 * m encryption   the name of the key of encryption
 * </pre>
 */
public final class TermsRow {
    /** A table without this row is one of which no operator has said anything yet. */
    public static final byte[] KEY = Keys.named(Keys.META, "options");

    /** A mount that has this row is never written in plain again. */
    public static final byte[] ENCRYPTION = Keys.named(Keys.META, "encryption");

    private static final int VERSION = 1;
    private static final String KEY_NAME = BdtOptions.ENCRYPTION_KEY.key();

    private TermsRow() {}

    /** Reads what a table says; empty: nothing was ever set. */
    public static Optional<MountTerms> find(Rows rows) throws IOException {
        Optional<byte[]> row = rows.get(KEY);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        Bytes.In in = new Bytes.In(row.get());
        int version = in.byte1();
        if (version != VERSION) {
            throw new Bytes.MalformedException("options of version " + version);
        }
        Map<String, String> set = new HashMap<>(decode(in));
        rows.get(ENCRYPTION).ifPresent(name -> set.put(KEY_NAME, new String(name, StandardCharsets.UTF_8)));
        return Optional.of(MountTerms.of(set));
    }

    /**
     * Sets them, as a mutation of the mount's writer; returns its position.
     *
     * @param urgent whether the store is to have the change with the next upload of the journal, whatever else is in it
     */
    public static long put(Transaction transaction, MountTerms terms, boolean urgent) throws IOException {
        long position = transaction.nextPosition();
        write(transaction, terms.set());
        transaction.journal(position, new JournalEntry.TermsSet(terms.set(), urgent));
        return position;
    }

    static void replay(Transaction transaction, JournalEntry.TermsSet entry) throws IOException {
        write(transaction, entry.set());
    }

    private static void write(Transaction transaction, SortedMap<String, String> set) throws IOException {
        transaction.rows().put(KEY, row(set));
        String key = set.getOrDefault(KEY_NAME, "");
        if (!key.isEmpty()) {
            transaction.rows().put(ENCRYPTION, key.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Sets those of a table that was just made, unless a recovery found them. */
    public static void make(SortedStore fresh, MountTerms terms) throws IOException {
        if (fresh.get(KEY).isPresent()) {
            return;
        }
        Counters counters = fresh.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new);
        SortedMap<String, String> set = new TreeMap<>(terms.set());
        Optional<byte[]> found = fresh.get(ENCRYPTION);
        found.ifPresent(name -> set.put(KEY_NAME, new String(name, StandardCharsets.UTF_8)));
        WriteBatch batch = new WriteBatch().put(KEY, row(set));
        if (!set.isEmpty()) {
            long position = counters.nextPosition();
            batch.put(Keys.numbered(Keys.JOURNAL, position), new JournalEntry.TermsSet(set, false).encode());
            batch.put(Counters.KEY, counters.encode());
        }
        String key = set.getOrDefault(KEY_NAME, "");
        if (!key.isEmpty()) {
            batch.put(ENCRYPTION, key.getBytes(StandardCharsets.UTF_8));
        }
        fresh.write(batch, SortedStore.Sync.FSYNC);
    }

    private static byte[] row(SortedMap<String, String> set) {
        SortedMap<String, String> others = new TreeMap<>(set);
        others.remove(KEY_NAME);
        Bytes.Out out = new Bytes.Out().byte1(VERSION);
        encode(out, others);
        return out.toBytes();
    }

    static void encode(Bytes.Out out, SortedMap<String, String> set) {
        out.number(set.size());
        set.forEach((key, value) -> out.text(key).text(value));
    }

    static SortedMap<String, String> decode(Bytes.In in) {
        int count = in.smallNumber();
        SortedMap<String, String> set = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            set.put(in.text(), in.text());
        }
        return set;
    }
}
