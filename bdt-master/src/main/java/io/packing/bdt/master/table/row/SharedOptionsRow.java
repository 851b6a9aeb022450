// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.SharedMountOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows of a mount's shared options (RFC 0016).
 *
 * <pre>
 * m options      version 1, count, then key and value of each that was set but the key of encryption
 * m encryption   the name of the key of encryption
 * </pre>
 */
public final class SharedOptionsRow {
    /** The key of the options' row; without it, no operator has set an option yet. */
    public static final byte[] KEY = Keys.named(Keys.META, "options");

    /** A mount that has this row is never written in plain again. */
    public static final byte[] ENCRYPTION = Keys.named(Keys.META, "encryption");

    private static final int VERSION = 1;
    public static final String KEY_NAME = BdtOptions.ENCRYPTION_KEY.key();

    private SharedOptionsRow() {}

    /** Reads what a table says; empty: nothing was ever set. */
    public static Optional<SharedMountOptions> find(Rows rows) throws IOException {
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
        return Optional.of(SharedMountOptions.of(set));
    }

    public static byte[] row(SortedMap<String, String> set) {
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
