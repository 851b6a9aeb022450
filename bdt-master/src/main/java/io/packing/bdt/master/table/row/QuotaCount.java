// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A directory whose quota is being counted beside the writer, since it has many names (RFC 0014). The row of the quota takes all changes
 * meanwhile. The count is one of a moment, and so is the row's; what the row counted since then is added.
 *
 * @param since position of the mutation that asked for it; a later one begins anew
 * @param isFirst whether the row counts changes only, so that its limits do not hold yet
 */
public record QuotaCount(long directory, long since, boolean isFirst) {
    /** The key of the row that has all of them; there is none when nothing is counted. */
    private static final byte[] KEY = Keys.named(Keys.META, "counting");

    /** Those under way. */
    public static List<QuotaCount> all(Rows rows) throws IOException {
        Optional<byte[]> row = rows.get(KEY);
        List<QuotaCount> all = new ArrayList<>();
        if (row.isPresent()) {
            for (Bytes.In in = new Bytes.In(row.get()); in.hasMore(); ) {
                all.add(new QuotaCount(in.number(), in.number(), in.byte1() == 1));
            }
        }
        return all;
    }

    /** Returns whether what a directory has is not known yet. */
    public static boolean isUnknown(List<QuotaCount> all, long directory) {
        return all.stream().anyMatch(each -> each.directory == directory && each.isFirst);
    }

    /** Begins to count a directory, or begins anew. */
    public static void begin(WriteSet rows, QuotaCount count) throws IOException {
        List<QuotaCount> all = without(rows, count.directory);
        all.add(count);
        put(rows, all);
    }

    /** Counts a directory no more. */
    public static void end(WriteSet rows, long directory) throws IOException {
        List<QuotaCount> before = all(rows);
        List<QuotaCount> after = without(rows, directory);
        if (after.size() < before.size()) {
            put(rows, after);
        }
    }

    public static void endAll(WriteSet rows) throws IOException {
        if (!all(rows).isEmpty()) {
            put(rows, List.of());
        }
    }

    private static List<QuotaCount> without(WriteSet rows, long directory) throws IOException {
        List<QuotaCount> all = all(rows);
        all.removeIf(each -> each.directory == directory);
        return all;
    }

    private static void put(WriteSet rows, List<QuotaCount> all) {
        if (all.isEmpty()) {
            rows.delete(KEY);
            return;
        }
        Bytes.Out out = new Bytes.Out();
        all.forEach(each -> out.number(each.directory).number(each.since).byte1(each.isFirst ? 1 : 0));
        rows.put(KEY, out.toBytes());
    }
}
