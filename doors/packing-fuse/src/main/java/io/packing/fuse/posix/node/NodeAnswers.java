// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.RareAttributes;
import io.packing.blob.FileAttributes;
import io.packing.fuse.Attributes;
import io.packing.fuse.Entry;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.NodeAttributes;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.draft.Draft;
import java.time.Duration;
import java.time.Instant;

/**
 * The answers to the kernel about nodes, with the time for which it may trust each. An answer that this server got from
 * the table before is trusted for the rest of that time only.
 */
public final class NodeAnswers {
    private static final int BLOCK = 512;
    private static final int GOOD_SIZE = 1 << 20;

    private final OpenMount open;
    /** The time for which the kernel need not ask again. */
    private final Duration believed;

    NodeAnswers(OpenMount open, Duration believed) {
        this.open = open;
        this.believed = believed;
    }

    /** Returns the attributes of a node that programs see. Needs its lock. */
    private Attributes shown(Node node) {
        FileAttributes has = node.attributes;
        long size = node.draft != null ? node.draft.size() : node.isDevice() ? 0 : has.length();
        Instant modified = RareAttributes.time(has.mtimeMillis(), node.extras.nanos());
        if (node.entriesChanged.isPresent()) {
            modified = node.entriesChanged.get();
        }
        Instant changed = node.changed.or(() -> node.extras.changed()).orElse(modified);
        return new Attributes(
                node.inode,
                size,
                (stored(node, size) + BLOCK - 1) / BLOCK,
                node.accessed.orElse(modified),
                modified,
                changed,
                node.type | has.permissions(),
                node.links(),
                open.users.number(has.owner()),
                open.groups.number(has.group()),
                node.device.orElse(0),
                GOOD_SIZE);
    }

    private static long stored(Node node, long size) {
        Draft draft = node.draft;
        if (draft != null) {
            return draft.stored(node.stored.orElse(draft.published()));
        }
        return node.isDevice() ? 0 : node.stored.orElse(size);
    }

    /** Returns the time for which the kernel may trust attributes: none while one of them is unknown. */
    private Duration trusted(Node node) {
        return isStoredDue(node) || isStoredGuessed(node) ? Duration.ZERO : left(node);
    }

    /** Returns the rest of the time for which the last answer of the table counts. */
    private Duration left(Node node) {
        boolean isOld = !open.isListed() && isOnlyInTable(node);
        return isOld ? believed.minusNanos(Math.min(age(node), believed.toNanos())) : believed;
    }

    private long age(Node node) {
        return open.nanoTime.getAsLong() - node.learntAt;
    }

    /** Returns whether the table alone has the newest state of an entry with one name. Needs the lock. */
    boolean isOnlyInTable(Node node) {
        return node.version.isPresent()
                && node.draft == null
                && !node.unlinked
                && !node.extras.isLinked()
                && !open.nodes.hasOthers(node);
    }

    /**
     * Returns whether the table's last answer about a node still counts, so that it need not be asked. Needs the lock.
     */
    public boolean isFresh(Node node) {
        return !open.isListed()
                && open.source == TreeSource.NONE
                && isOnlyInTable(node)
                && !isStoredDue(node)
                && age(node) < believed.toNanos();
    }

    /** Makes old what is known of a node that turned out to be another file or none. Needs the lock. */
    public void doubt(Node node) {
        node.learntAt = open.nanoTime.getAsLong() - believed.toNanos();
    }

    /** Returns whether a close will give the number of stored bytes more exactly. */
    private static boolean isStoredGuessed(Node node) {
        Draft draft = node.draft;
        return draft != null
                && !draft.isNew()
                && draft.isDirty()
                && node.stored.orElse(draft.published()) < draft.published();
    }

    /** Returns whether the attributes need the places of the bytes. A read-only mount shows the length instead. */
    public boolean isStoredDue(Node node) {
        return !open.settings.readOnly() && node.isStoredUnknown();
    }

    /** Returns the answer about the attributes of a node. Needs its lock. */
    public NodeAttributes nodeAttributes(Node node) {
        return new NodeAttributes(trusted(node), shown(node));
    }

    /** Returns the entry of a node. Needs its lock. */
    public Entry entry(Node node) {
        boolean isReused = node.parent == FuseFileSystem.ROOT && open.source.reusesNames();
        return new Entry(node.number, 0, isReused ? Duration.ZERO : left(node), trusted(node), shown(node));
    }

    /** Returns the answer that the name does not exist. */
    public Entry nothing() {
        return nothing(believed);
    }

    /** Returns the answer that the name does not exist, with the time for which the kernel may trust it. */
    public Entry nothing(Duration valid) {
        Attributes none = new Attributes(0, 0, 0, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, 0, 0, 0, 0, 0, 0);
        return new Entry(0, 0, valid, valid, none);
    }
}
