// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the directories in which, or below which, a batch changed what readers see. Confined to the writer thread. */
final class ChangedDirectories {
    /** Rows that are compared with the older ones at most; more of them count as changes. */
    private static final int MOST_COMPARED = 1_000;

    private final Transaction transaction;
    private final Rows stored;
    /** Those of the asked directories that each directory is in. */
    private final Map<Long, Set<Long>> above = new HashMap<>();

    private int compared;

    /** @param stored the rows before the batch */
    ChangedDirectories(Transaction transaction, Rows stored) {
        this.transaction = transaction;
        this.stored = stored;
    }

    /** Returns the ids of these directories that changed. */
    Set<Long> among(Set<Long> directories) throws IOException {
        Set<Long> changed = new HashSet<>();
        for (Map.Entry<byte[], Optional<byte[]>> row : transaction.rows().all()) {
            byte[] key = row.getKey();
            if (key[0] != Keys.ENTRY || Keys.isFence(key)) {
                continue;
            }
            Set<Long> of =
                    HiddenDirectories.isHidden(Keys.number(key)) ? directories : in(Keys.number(key), directories);
            if (!changed.containsAll(of) && isSeen(key, row.getValue())) {
                changed.addAll(of);
                if (changed.size() == directories.size()) {
                    break;
                }
            }
        }
        return changed;
    }

    private Set<Long> in(long directory, Set<Long> asked) throws IOException {
        List<Long> way = new ArrayList<>();
        Set<Long> found = Set.of();
        long id = directory;
        while (true) {
            Optional<Set<Long>> known = Optional.ofNullable(above.get(id));
            if (known.isPresent()) {
                found = known.get();
                break;
            }
            way.add(id);
            Optional<EntryLink> up = id == Inode.ROOT_ID
                    ? Optional.empty()
                    : transaction.namespace().link(id);
            if (up.isEmpty()) {
                break;
            }
            id = up.get().parent();
        }
        for (int i = way.size() - 1; i >= 0; i--) {
            if (asked.contains(way.get(i))) {
                Set<Long> more = new HashSet<>(found);
                more.add(way.get(i));
                found = more;
            }
            above.put(way.get(i), found);
        }
        return found;
    }

    /** Returns whether readers see another entry: the place of its bytes alone is none of it. */
    private boolean isSeen(byte[] key, Optional<byte[]> row) throws IOException {
        if (++compared > MOST_COMPARED) {
            return true;
        }
        Optional<Inode> before = stored.get(key).map(Inode::decode);
        Optional<Inode> now = row.map(Inode::decode);
        if (before.isEmpty() || now.isEmpty()) {
            return before.isPresent() || now.isPresent();
        }
        Inode other = now.get();
        Inode was = before.get();
        boolean isSame = was.id() == other.id()
                && was.generation() == other.generation()
                && was.attributes().equals(other.attributes())
                && was.extras().equals(other.extras());
        // A version of a file has the same bytes wherever they are. A name of a file, or the origin of a clone, is no
        // place of bytes.
        boolean isPlace = !was.isDirectory() && !(was.place() instanceof Inode.Linked);
        return !(isSame && (isPlace || was.equals(other)));
    }
}
