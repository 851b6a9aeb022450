// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.posix.Times;
import io.packing.fuse.posix.draft.Draft;
import io.packing.fuse.posix.draft.DraftStorage;
import io.packing.fuse.posix.draft.StateJournal.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The restoration of the nodes and drafts of an earlier server from its journal. Confined to one thread, before the server serves
 * a call.
 */
final class Restoration {
    private record StateRecord(Kind kind, long node, List<Long> numbers, String text) {}

    private final OpenMount open;
    private final List<StateRecord> entries = new ArrayList<>();
    /**
     * The journal position of the last discard of each node's draft: earlier records count no more, and the file is
     * gone.
     */
    private final Map<Long, Integer> discarded = new HashMap<>();
    /** The nodes with writes after their last noted time. */
    private final Set<Node> touched = new HashSet<>();

    Restoration(OpenMount open) {
        this.open = open;
    }

    void record(Kind kind, long node, List<Long> numbers, String text) {
        if (kind == Kind.DISCARDED) {
            discarded.put(node, entries.size());
        }
        entries.add(new StateRecord(kind, node, numbers, text));
    }

    /** Applies the records. */
    void finish() throws IOException {
        for (int i = 0; i < entries.size(); i++) {
            StateRecord entry = entries.get(i);
            if (entry.kind() == Kind.NODE) {
                List<Long> numbers = entry.numbers();
                Node unused = open.nodes.restore(
                        entry.node(), numbers.get(0), entry.text(), numbers.get(1), Math.toIntExact(numbers.get(2)));
            } else if (entry.kind() == Kind.REMOVING) {
                open.nodes.removed.restore(entry.node(), entry.numbers(), entry.text());
            } else if (entry.kind() == Kind.REMOVED) {
                open.nodes.removed.restoreDone(entry.node());
            } else if (entry.kind() == Kind.SHOWN) {
                open.nodes.numbers.restore(entry.node(), entry.numbers().get(0));
            } else {
                Optional<Node> node = open.nodes.find(entry.node());
                if (node.isPresent()) {
                    apply(node.get(), entry, discarded.getOrDefault(entry.node(), -1) < i);
                }
            }
        }
        for (Node node : touched) {
            if (node.draft != null) {
                node.attributes = Times.withMtime(node.attributes, open.clock.millis());
                node.setTimes(0, Optional.empty());
            }
        }
    }

    private void apply(Node node, StateRecord entry, boolean draftCounts) throws IOException {
        switch (entry.kind()) {
            case MOVED -> {
                Optional<Node> parent = open.nodes.find(entry.numbers().get(0));
                if (parent.isPresent()) {
                    open.nodes.restoreMoved(node, parent.get(), entry.text());
                }
            }
            case RENAMED -> {
                int nul = entry.text().indexOf('\0');
                open.nodes.restoreRenamed(
                        node,
                        entry.numbers().get(0),
                        entry.text().substring(0, nul),
                        entry.numbers().get(1),
                        entry.text().substring(nul + 1));
            }
            case ALIAS -> {
                node.unlinked = false;
                open.nodes.restoreAlias(node, entry.numbers().get(0), entry.text());
            }
            case LEFT -> open.nodes.restoreLeft(node, entry.numbers().get(0), entry.text());
            case DETACHED -> {
                node.unlinked = true;
                open.nodes.detach(node);
            }
            case FORGOTTEN -> open.nodes.restoreForgotten(node);
            case OPENS -> node.opens = Math.toIntExact(entry.numbers().get(0));
            case KEPT ->
                node.kept = entry.text().isEmpty() ? Optional.empty() : Optional.of(new FilePath(entry.text()));
            default -> {
                if (draftCounts) {
                    applyToDraft(node, entry);
                }
            }
        }
    }

    private void applyToDraft(Node node, StateRecord entry) throws IOException {
        List<Long> numbers = entry.numbers();
        if (entry.kind() == Kind.DRAFT) {
            int slot = numbers.size() > 2 ? Math.toIntExact(numbers.get(2)) : DraftStorage.NO_SLOT;
            if (slot != DraftStorage.NO_SLOT || open.room.hasFile(node.number)) {
                node.draft =
                        Draft.restored(open.room, open.journal, node.number, numbers.get(0) == 1, numbers.get(1), slot);
                if (numbers.get(0) == 1 && !node.unlinked) {
                    open.nodes.restorePending(node);
                }
            }
            return;
        }
        if (entry.kind() == Kind.ATTRIBUTES) {
            attributes(node, numbers, entry.text());
            return;
        }
        if (node.draft == null) {
            return;
        }
        switch (entry.kind()) {
            case WRITTEN -> {
                node.draft.noteWritten(numbers.get(0), numbers.get(1));
                touched.add(node);
            }
            case LOCAL -> node.draft.noteLocal(numbers.get(0), numbers.get(1));
            case RESIZED -> {
                node.draft.noteResized(numbers.get(0));
                touched.add(node);
            }
            case REBASED -> node.draft.noteRebased(numbers.get(0), numbers.get(1), numbers.get(2));
            case IN_FILE -> node.draft.noteInFile();
            case ON_EMPTY -> node.draft.noteOnEmpty();
            case PUBLISHED -> node.draft.notePublished();
            case SIZES -> node.draft.noteSizes(numbers.get(0), numbers.get(1), numbers.get(2));
            default -> throw new IllegalStateException("a journal with " + entry.kind());
        }
        if (!node.isPending()) {
            open.nodes.restorePublished(node);
        }
    }

    private void attributes(Node node, List<Long> numbers, String text) {
        int nul = text.indexOf('\0');
        long length = node.draft == null ? 0 : node.draft.size();
        node.attributes = new FileAttributes(
                length,
                numbers.get(0),
                text.substring(0, nul),
                text.substring(nul + 1),
                Math.toIntExact(numbers.get(1)));
        // An older server wrote no nanoseconds.
        node.setTimes(numbers.size() > 3 ? Math.toIntExact(numbers.get(3)) : 0, Optional.empty());
        // The create may have been done; if so, the existing file is this one.
        node.exclusive = false;
        touched.remove(node);
    }
}
