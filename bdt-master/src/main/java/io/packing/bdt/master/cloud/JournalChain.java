// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Unread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The journals that a recovery replays, and which of them are missing. A journal says in a row of its own, with position 0, up to
 * where the journals before it went. One of an older version does not, and counts as the next one after those before it.
 */
final class JournalChain {
    /** The key of that row. Masters of older versions pass over it. */
    private static final byte[] FOLLOWS = Keys.numbered(Keys.JOURNAL, 0);

    /** Positions of which a journal has all entries: those after the first number until the second. */
    private record Covered(MasterObject journal, long after, long until) {}

    private final List<Covered> covered = new ArrayList<>();
    private final List<MasterObject> untold = new ArrayList<>();
    private final List<Unread> damaged = new ArrayList<>();

    /** Writes which journals one follows. */
    static void write(RowFile.Writer writer, long follows) throws IOException {
        writer.row(FOLLOWS, new Bytes.Out().number(follows).toBytes());
    }

    /** Returns whether a row of a journal is the one that this class writes. */
    static boolean isOwn(byte[] key) {
        return Keys.number(key) == 0;
    }

    /** Reads such a row. */
    static long follows(byte[] value) {
        return new Bytes.In(value).number();
    }

    /** Begins anew: journals are listed again. */
    void clear() {
        covered.clear();
        untold.clear();
        damaged.clear();
    }

    /** Takes a journal that was read. */
    void read(MasterObject journal, long follows) {
        covered.add(new Covered(journal, follows, journal.last()));
    }

    /** Takes a journal of an older version, which does not tell what it follows. */
    void read(MasterObject journal) {
        untold.add(journal);
    }

    /** Takes a journal that cannot be read. */
    void damaged(MasterObject journal) {
        untold.add(journal);
        damaged.add(new Unread(journal.key(), "is damaged", Math.max(0, journal.first() - 1), journal.last()));
    }

    /**
     * Returns what is not read or not there.
     *
     * @param base the position of the backup, which has everything until there
     */
    List<Unread> unread(long base) {
        List<Covered> all = new ArrayList<>(covered);
        for (MasterObject journal : untold) {
            long before = all.stream()
                    .mapToLong(Covered::until)
                    .filter(until -> until < journal.last())
                    .max()
                    .orElse(0);
            all.add(new Covered(journal, Math.min(before, base), journal.last()));
        }
        all.sort(Comparator.comparingLong(Covered::after).thenComparing(Covered::until));
        List<Unread> missing = new ArrayList<>(damaged);
        long end = base;
        for (Covered each : all) {
            if (each.after > end) {
                missing.add(new Unread(
                        each.journal.key(),
                        "follows journals that are missing, of positions %d to %d".formatted(end + 1, each.after),
                        end,
                        each.after));
            }
            end = Math.max(end, each.until);
        }
        return missing;
    }
}
