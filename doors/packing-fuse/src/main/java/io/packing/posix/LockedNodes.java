package io.packing.posix;

import io.packing.fuse.FuseException;
import java.io.IOException;

/** Runs calls under the locks of nodes, and discards drafts under them. Thread-safe. */
final class LockedNodes {
    private final OpenMount open;

    LockedNodes(OpenMount open) {
        this.open = open;
    }

    /** A call under the lock of a node, while the paths of nodes do not change. */
    interface Locked<T> {
        T call() throws FuseException, IOException;
    }

    /** Runs a call under the shared lock of the tree and the lock of the node. */
    <T> T locked(Node node, Locked<T> call) throws FuseException, IOException {
        open.tree.readLock().lock();
        node.lock.lock();
        try {
            return call.call();
        } finally {
            node.lock.unlock();
            open.tree.readLock().unlock();
        }
    }

    /** Discards a draft. Needs the lock. */
    void dropDraft(Node node) throws IOException {
        if (node.draft != null) {
            node.draft.discard();
            node.draft = null;
            open.nodes.dropUnknown(node);
        }
    }
}
