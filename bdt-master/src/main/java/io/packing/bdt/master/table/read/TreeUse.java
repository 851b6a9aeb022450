// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.QuotaCount;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.WaitingVersions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A count of a tree's names and bytes: its own, and those that a clone shows of its origin. A directory below with a quota is
 * counted from its row.
 * Confined to one thread, and used once.
 */
public final class TreeUse {
    private static final int PAGE = 1_000;

    private final Rows rows;
    private final Namespace namespace;
    private final Deque<View> left = new ArrayDeque<>();
    private final boolean anyWaiting;
    private final List<QuotaCount> counting;
    private QuotaUse use = QuotaUse.NONE;

    public TreeUse(Rows rows, Namespace namespace) throws IOException {
        this.rows = rows;
        this.namespace = namespace;
        this.counting = QuotaCount.all(rows);
        this.anyWaiting = rows.any(Keys.kind(Keys.PENDING), Keys.kindEnd(Keys.PENDING));
    }

    /** Counts a directory with all below it, whatever its own row says. */
    public QuotaUse of(Inode directory) throws IOException {
        return of(directory, Long.MAX_VALUE).orElseThrow();
    }

    /** Counts a directory with all below it; empty: it has more names than so many. */
    public Optional<QuotaUse> of(Inode directory, long most) throws IOException {
        use = QuotaUse.of(directory);
        left.push(View.present(directory));
        while (!left.isEmpty() && use.names() <= most) {
            View view = left.pop();
            if (view.origin().isEmpty() && view.snapshot().isEmpty()) {
                own(view.directory(), most);
            } else {
                shown(view);
            }
        }
        return use.names() <= most ? Optional.of(use) : Optional.empty();
    }

    /** Counts the entries of a removed directory, by their rows. */
    QuotaUse below(long directory) throws IOException {
        left.push(View.present(directory));
        while (!left.isEmpty()) {
            own(left.pop().directory(), Long.MAX_VALUE);
        }
        return use;
    }

    private void own(long directory, long most) throws IOException {
        rows.scan(Keys.entries(directory), Keys.entriesEnd(directory), (key, value) -> {
            if (directory != Inode.ROOT_ID
                    || !EffectiveQuotas.isReserved(new EntryLink(directory, Keys.entryName(key)))) {
                count(Inode.decode(value));
            }
            return use.names() <= most;
        });
        waiting(directory);
    }

    private void count(Inode entry) throws IOException {
        Optional<QuotaRow> row = entry.isDirectory() && !QuotaCount.isUnknown(counting, entry.id())
                ? QuotaRow.of(rows, entry.id())
                : Optional.empty();
        if (row.isPresent()) {
            use = use.plus(row.get().use());
        } else {
            use = use.plus(QuotaUse.of(entry));
            if (entry.isDirectory()) {
                left.push(View.present(entry));
            }
        }
    }

    private void waiting(long directory) throws IOException {
        if (anyWaiting) {
            rows.scan(Keys.pending(directory, ""), Keys.pending(directory + 1, ""), (key, row) -> {
                for (Inode each : WaitingVersions.decode(row)) {
                    use = use.plus(new QuotaUse(0, each.attributes().length()));
                }
                return true;
            });
        }
    }

    /** Counts the entries that a clone, or a directory of the past, shows. */
    private void shown(View view) throws IOException {
        String after = "";
        for (boolean more = true; more; ) {
            List<PastEntries.Named> page = namespace.views().list(view, after, PAGE);
            for (PastEntries.Named each : page) {
                shown(view, each);
                after = each.name();
            }
            more = page.size() == PAGE;
        }
        if (view.snapshot().isEmpty()) {
            waiting(view.directory());
        }
    }

    private void shown(View view, PastEntries.Named named) throws IOException {
        boolean isPlain =
                !named.inode().isDirectory() && named.inode().extras().links() == 0 && !isMissing(named.inode());
        if (isPlain) {
            use = use.plus(QuotaUse.of(named.inode()));
            return;
        }
        // The entry itself, since a listing has files in the place of their names.
        View.Seen seen = namespace
                .views()
                .entry(view, named.name())
                .orElseThrow(() -> new IOException("'%s' was listed and is not there".formatted(named.name())));
        if (seen.inode().isDirectory() && seen.snapshot().isEmpty()) {
            count(seen.inode());
            return;
        }
        use = use.plus(QuotaUse.of(seen.inode()));
        if (seen.inode().isDirectory()) {
            left.push(seen.inside());
        }
    }

    private static boolean isMissing(Inode inode) {
        return inode.place() instanceof Inode.Missing;
    }
}
