// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.MapChain;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A change of a file's map by splices. A map in the entry is written once, with the last splice; of a fragmented file each splice
 * changes the rows of its range, and the entry is written with the last one. Confined to the writer thread.
 */
public final class MapEdit {
    private final Transaction transaction;
    private final EntryLink at;
    private final Optional<ReferenceMap.Editor> whole;
    /** The file as it is by now: a snapshot that sees it may have frozen its map. */
    private Inode file;
    /** The ranges that were changed, of a file with its map in rows. */
    private final RangeSet<Long> changed = TreeRangeSet.create();

    private long more;

    /**
     * Begins a change of a file.
     *
     * @param map that the file has, unless the map is in rows
     */
    public MapEdit(Transaction transaction, EntryLink at, Inode file, Optional<ReferenceMap> map) {
        this.transaction = transaction;
        this.at = at;
        this.file = file;
        this.whole = map.map(ReferenceMap.Editor::new);
        FragmentedMaps.allow(transaction.rows(), file);
    }

    /** Returns the bytes of contents in a range, moved to offset 0. */
    public ReferenceMap slice(long offset, long bytes) throws IOException {
        return whole.isPresent()
                ? whole.get().slice(offset, bytes)
                : MapChain.of(transaction.rows(), file).slice(transaction.rows(), offset, bytes);
    }

    /** Replaces a range by another map, holes included. */
    public void put(long offset, long bytes, ReferenceMap replacement) throws IOException {
        if (whole.isPresent()) {
            whole.get().put(offset, bytes, replacement);
            return;
        }
        if (changed.isEmpty()) {
            file = transaction.past().beforeChange(at, file);
        }
        changed.add(Range.closedOpen(offset, offset + bytes));
        more += transaction.maps().put(file, offset, bytes, replacement);
    }

    /** Removes all from an offset on. */
    public void cut(long offset) throws IOException {
        put(offset, Long.MAX_VALUE - offset, ReferenceMap.EMPTY);
    }

    /**
     * Writes the file after all splices.
     *
     * @param before the file as it is in its entry
     * @param after with its new attributes, and any place
     * @return the journal's entry of the change
     */
    public JournalEntry write(FilePath path, Inode before, Inode after) throws IOException {
        if (whole.isPresent()) {
            ReferenceMap map = whole.get().toMap();
            Inode unused = transaction.maps().remap(transaction, at, before, after.at(new Inode.Mapped(map)));
            return transaction.contents().entry(path, after, map);
        }
        if (changed.isEmpty()) {
            file = transaction.past().beforeChange(at, before);
        }
        if (!(file.place() instanceof Inode.Fragmented fragmented)) {
            throw new IllegalStateException("inode %d is not fragmented any more".formatted(before.id()));
        }
        JournalEntry entry = transaction.contents().entry(path, before, after, splices());
        Inode now = after.at(fragmented.plus(more));
        transaction.replace(at.parent(), at.name(), before, transaction.maps().settled(now));
        return entry;
    }

    /** Returns what the changed ranges have by now: a range that was changed twice has no content that is gone. */
    private List<JournalEntry.Splice> splices() throws IOException {
        List<JournalEntry.Splice> splices = new ArrayList<>();
        Inode.Fragmented place = (Inode.Fragmented) file.place();
        // What was changed covers all layers below.
        MapChain top = new MapChain(List.of(place.top(file.id())));
        for (Range<Long> each : changed.asRanges()) {
            long offset = each.lowerEndpoint();
            long bytes = each.upperEndpoint() - offset;
            splices.add(new JournalEntry.Splice(offset, bytes, top.slice(transaction.rows(), offset, bytes)));
        }
        return splices;
    }
}
