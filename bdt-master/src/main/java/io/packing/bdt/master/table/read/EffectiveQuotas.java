// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.QuotaCount;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the quotas that hold for a directory, and what is left of them. */
public final class EffectiveQuotas {
    private final Rows rows;
    private final Namespace namespace;

    public EffectiveQuotas(Rows rows, Namespace namespace) {
        this.rows = rows;
        this.namespace = namespace;
    }

    /** Returns whether any directory has a quota. */
    public static boolean any(Rows rows) throws IOException {
        return rows.any(Keys.kind(Keys.QUOTA), Keys.kindEnd(Keys.QUOTA));
    }

    /**
     * The directories with a quota at or above a directory, from the lowest up. A directory that was removed counts where it was, as long
     * as upkeep takes what was in it off the quotas.
     */
    public List<Long> above(long directory) throws IOException {
        List<Long> found = new ArrayList<>();
        long at = directory;
        while (true) {
            if (rows.get(Keys.numbered(Keys.QUOTA, at)).isPresent()) {
                found.add(at);
            }
            if (at == Inode.ROOT_ID) {
                return found;
            }
            Optional<EntryLink> up = namespace.link(at);
            if (up.isEmpty()) {
                Optional<Long> owed = owed(rows.get(Keys.numbered(Keys.REAP, at)));
                if (owed.isEmpty()) {
                    return found;
                }
                at = owed.get();
            } else if (isReserved(up.get())) {
                return List.of();
            } else {
                at = up.get().parent();
            }
        }
    }

    /** Returns whether an entry is the reserved directory, below which entries count nowhere. */
    public static boolean isReserved(EntryLink link) {
        return link.parent() == Inode.ROOT_ID && link.name().equals(FilePath.RESERVED.name());
    }

    /** Returns the directory whose quota still counts the entries of a removed directory. */
    public static Optional<Long> owed(Optional<byte[]> reapRow) {
        return reapRow.filter(row -> row.length > 0).map(row -> new Bytes.In(row).number());
    }

    /** Why quotas do not take something more; empty: they do. */
    public Optional<QuotaExceededException> whyNot(List<Long> quotas, QuotaUse more) throws IOException {
        List<QuotaCount> counting = QuotaCount.all(rows);
        for (long directory : quotas) {
            Optional<QuotaRow> row = QuotaRow.of(rows, directory);
            if (row.isEmpty() || QuotaCount.isUnknown(counting, directory)) {
                continue;
            }
            Optional<QuotaExceededException> refusal = whyNot(directory, row.get(), more);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private Optional<QuotaExceededException> whyNot(long directory, QuotaRow row, QuotaUse more) throws IOException {
        QuotaRow after;
        try {
            after = row.with(row.use().plus(more));
        } catch (ArithmeticException e) {
            return Optional.of(row.refusal(Outcome.BYTES_QUOTA, path(directory)));
        }
        Optional<Outcome> exceeded = after.exceeded(row.use());
        return exceeded.isEmpty() ? Optional.empty() : Optional.of(after.refusal(exceeded.get(), path(directory)));
    }

    /** Returns the path of a directory, for messages. */
    public String path(long directory) throws IOException {
        if (directory == Inode.ROOT_ID) {
            return FilePath.ROOT.value();
        }
        Optional<EntryLink> link = namespace.link(directory);
        Optional<FilePath> path = link.isEmpty() ? Optional.empty() : namespace.pathOf(link.get());
        return path.map(FilePath::value).orElse("directory " + directory);
    }
}
