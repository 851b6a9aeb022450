// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An object of the store that a recovery could not read. What it said is missing in the table: a version of a file, or a change of
 * the namespace. So files with versions of before may be older than what was written. The table says so until an operator accepts it.
 *
 * @param object its key; of one that is missing, that of the object behind it
 * @param why it was not read
 * @param after the last position before what is missing
 * @param until the last position that it may have had
 */
public record Unread(String object, String why, long after, long until) {
    /** The key of their row. */
    public static final byte[] KEY = Keys.named(Keys.META, "unread");

    public Unread {
        if (after < 0 || until < after) {
            throw new Bytes.MalformedException("%s was not read, from %d to %d".formatted(object, after, until));
        }
    }

    /** Those of a table. */
    public static List<Unread> load(Rows rows) throws IOException {
        List<Unread> all = new ArrayList<>();
        rows.get(KEY).ifPresent(row -> {
            Bytes.In in = new Bytes.In(row);
            while (in.hasMore()) {
                all.add(new Unread(in.text(), in.text(), in.number(), in.number()));
            }
        });
        return all;
    }

    /** Returns the row of several. Of those with one object the last one counts. */
    public static byte[] encode(Collection<Unread> all) {
        Map<String, Unread> byObject = new LinkedHashMap<>();
        all.forEach(each -> byObject.put(each.object, each));
        Bytes.Out out = new Bytes.Out();
        byObject.values()
                .forEach(each ->
                        out.text(each.object).text(each.why).number(each.after).number(each.until));
        return out.toBytes();
    }

    /** Returns whether a newer version of a file may have been lost with it. */
    public boolean mayHaveHadNewer(FileVersion version) {
        return version.generation() <= until;
    }

    /** For people. */
    @Override
    public String toString() {
        return "%s %s".formatted(object, why);
    }
}
