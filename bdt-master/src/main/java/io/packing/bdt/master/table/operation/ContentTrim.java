// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import com.google.common.collect.Range;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.ContentUse;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.Extent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The release of unused bytes: if files have only parts of a content, it gives up the extents that no part touches. The table
 * lists the contents to check, so a restart goes on where the last one ended. Confined to
 * the writer thread.
 */
public final class ContentTrim {
    /** Contents that are looked at in one step, which is one write. */
    private static final int CONTENTS_PER_STEP = 500;

    /** Referrers, and references of their maps, that one step looks at; all changes of the mount wait for it. */
    private static final int MOST_LOOKED = 50_000;

    private final Transaction transaction;
    private final ContentUse use;

    private ContentTrim(Transaction transaction) {
        this.transaction = transaction;
        this.use = new ContentUse(transaction.rows(), transaction.namespace());
    }

    /** Returns whether there is anything to do. */
    public static boolean isDue(Rows rows) throws IOException {
        return !due(rows, 1).isEmpty();
    }

    /** Looks at some contents; returns whether there were any. */
    public static boolean step(Transaction transaction) throws IOException {
        List<Long> due = due(transaction.rows(), CONTENTS_PER_STEP);
        ContentTrim trim = new ContentTrim(transaction);
        for (int i = 0; i < due.size() && trim.use.looked() < MOST_LOOKED; i++) {
            trim.look(due.get(i));
        }
        return !due.isEmpty();
    }

    private void look(long id) throws IOException {
        transaction.rows().delete(Keys.numbered(Keys.TRIM, id));
        // A row of the past that has a content alone needs all of its bytes.
        Optional<Content> content = Content.own(transaction.rows(), id);
        // What is not packed yet is looked at when it is.
        if (content.isPresent() && content.get().place() instanceof Inode.Packed packed) {
            trim(content.get(), packed.extents());
        }
    }

    private void trim(Content content, List<Inode.StoredExtent> extents) throws IOException {
        List<Referrer> referrers = use.referrers(content.id());
        if (referrers.size() == ContentUse.MOST_REFERRERS) {
            // A content that more files have parts of is left whole.
            return;
        }
        Set<Inode.StoredExtent> unused = new HashSet<>(extents);
        // Most contents that are kept have a referrer at once for each extent: maps of the others need not be read.
        for (int i = 0; i < referrers.size() && !unused.isEmpty(); i++) {
            for (Range<Long> wanted : use.ranges(content.id(), referrers.get(i))) {
                unused.removeIf(stored -> touches(stored.extent(), wanted));
            }
        }
        if (!unused.isEmpty()) {
            List<Inode.StoredExtent> kept =
                    extents.stream().filter(stored -> !unused.contains(stored)).toList();
            transaction.contents().place(content, Inode.Packed.of(kept));
        }
    }

    private static boolean touches(Extent extent, Range<Long> range) {
        return extent.fileOffset() < range.upperEndpoint() && range.lowerEndpoint() < extent.fileEnd();
    }

    private static List<Long> due(Rows rows, int most) throws IOException {
        List<Long> due = new ArrayList<>();
        rows.scan(Keys.kind(Keys.TRIM), Keys.kindEnd(Keys.TRIM), (key, value) -> {
            due.add(Keys.number(key));
            return due.size() < most;
        });
        return due;
    }
}
