// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;

/**
 * The few bytes of a content's row that journal entries and checks need. The rest of the row is megabytes when the file is large.
 *
 * @param isUncommitted whether its bytes are not as durable yet as their mount asks
 * @param isPacked whether it is in blobs
 */
record ContentHead(JournalEntry.Source source, boolean isUncommitted, boolean isPacked) {
    static ContentHead of(Content content) {
        return new ContentHead(
                content.source(), Inode.isUncommitted(content.place()), content.place() instanceof Inode.Packed);
    }
}
