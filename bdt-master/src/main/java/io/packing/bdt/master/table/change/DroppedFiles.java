// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Staged;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The buffered files that a batch's mutations removed. Workers forget them once the batch is written, and the journal names
 * those of each mutation. Confined to the writer thread.
 */
public final class DroppedFiles implements Staged {
    /**
     * A buffered file that is gone: its worker may forget the bytes.
     *
     * @param deleted whether its bytes stay until the store has the journal: a change of names ended it, and a recovery without the journal of
     *     that change needs them again; or an object was not read that may have moved it away before
     */
    public record Order(String worker, FileVersion version, boolean deleted) {
        private Order ofDeletion() {
            return new Order(worker, version, true);
        }

        public long fileId() {
            return version.id();
        }
    }

    private final List<Order> orders = new ArrayList<>();
    private int accepted;
    /** Removed by the mutation under way, and named by no journal entry yet. */
    private final Set<Long> ended = new LinkedHashSet<>();

    private boolean urgently;
    /** True if an unread object may contradict the mutation under way. */
    private boolean undecided;
    /** True if the mutation under way has a journal entry that the store gets soon. */
    private boolean changesNames;

    /** Notes that a content is gone. */
    void add(Content content) {
        add(content.version(), content.place());
    }

    /** Notes that a file, or a content, is gone. */
    void add(FileVersion version, Inode.Place place) {
        if (place instanceof Inode.Buffered buffered) {
            orders.add(new Order(buffered.worker(), version, false));
            ended.add(version.id());
        }
    }

    /** Notes that a missing file is gone. Its worker may come back with it. */
    void missing(long id) {
        ended.add(id);
    }

    /** Notes that a journal entry names a file that ended. */
    void named(long id) {
        ended.remove(id);
    }

    /** Notes that the files that the mutation removes were deleted some time ago: the journal should say so soon. */
    void endUrgently() {
        urgently = true;
    }

    /**
     * Notes that the mutation under way may end files only because an object was not read, such as the journal of a rename that made their
     * path free. Workers keep their bytes, and no journal says that they are over.
     */
    void undecided() {
        undecided = true;
    }

    /** Notes that a recovery without the journal of the mutation under way would take it back. */
    void changesNames() {
        changesNames = true;
    }

    /** Returns the journal entry of the mutation under way. */
    Optional<JournalEntry> entry() {
        return ended.isEmpty() || undecided
                ? Optional.empty()
                : Optional.of(new JournalEntry.Ended(List.copyOf(ended), urgently));
    }

    /** Returns the orders of the mutation under way. */
    List<Order> ordersOfMutation() {
        return orders.subList(accepted, orders.size());
    }

    /** Returns the orders of all mutations of the batch. */
    List<Order> orders() {
        return List.copyOf(orders);
    }

    @Override
    public void accept() {
        if (changesNames || undecided) {
            orders.subList(accepted, orders.size()).replaceAll(Order::ofDeletion);
        }
        forgetMutation();
        accepted = orders.size();
    }

    @Override
    public void reject() {
        forgetMutation();
        orders.subList(accepted, orders.size()).clear();
    }

    /** The batch ends. */
    private void clear() {
        forgetMutation();
        orders.clear();
        accepted = 0;
    }

    private void forgetMutation() {
        ended.clear();
        urgently = false;
        changesNames = false;
        undecided = false;
    }

    @Override
    public void written() {
        clear();
    }

    @Override
    public void abandon() {
        clear();
    }
}
