// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.fuse.FuseException;
import java.io.IOException;

/** Runs calls under the locks of nodes, and discards drafts under them. Thread-safe. */
public final class LockedNodes {
    private final OpenMount open;

    LockedNodes(OpenMount open) {
        this.open = open;
    }

    /** A call under the lock of a node, while the paths of nodes do not change. */
    public interface Locked<T> {
        T call() throws FuseException, IOException;
    }

    /** Runs a call under the shared lock of the tree and the lock of the node. */
    public <T> T locked(Node node, Locked<T> call) throws FuseException, IOException {
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
    public void dropDraft(Node node) throws IOException {
        if (node.draft != null) {
            node.draft.discard();
            node.draft = null;
            open.nodes.dropUnknown(node);
        }
    }
}
