// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.Entry;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.publish.Publisher;
import java.io.IOException;
import java.util.Optional;

/** The call {@code link(2)}, which gives a node another name. */
public final class LinkCall {
    private final OpenMount open;
    private final Publisher publisher;
    private final NameCalls names;

    public LinkCall(OpenMount open, Publisher publisher, NameCalls names) {
        this.open = open;
        this.publisher = publisher;
        this.names = names;
    }

    public Entry link(Caller caller, Node node, Node parent, String name) throws FuseException, IOException {
        return names.shared(() -> {
            FilePath path = open.nodes.path(parent, name);
            NameCalls.checkCreatable(path);
            names.know(parent, path);
            Optional<Node> known = open.nodes.child(parent, name);
            if (known.isPresent() && NameCalls.isPending(known.get())) {
                throw new FuseException(Errno.EEXIST);
            }
            node.lock.lock();
            try {
                link(caller, node, path);
                open.nodes.link(node, parent, name);
                node.changed = Optional.of(open.now());
                open.learn(node, open.bdt().stat(path).orElseThrow(() -> new FuseException(Errno.ESTALE)));
            } finally {
                node.lock.unlock();
            }
            open.touch(parent);
            return names.counted(node);
        });
    }

    private void link(Caller caller, Node node, FilePath name) throws FuseException, IOException {
        if (node.isDirectory) {
            throw new FuseException(Errno.EPERM, "a directory has one name");
        }
        if (node.unlinked && node.kept.isEmpty()) {
            throw new FuseException(Errno.ENOENT, "the file has no name any more");
        }
        publisher.publish(node);
        FilePath file = publisher.path(node);
        if (file.isPast()) {
            throw new FuseException(Errno.EXDEV, "a snapshot is never changed");
        }
        VectorResult result = open.bdt().apply(OperationVector.of(new Operation.Link(file, name)));
        Optional<Outcome> refusal =
                result instanceof VectorResult.Refused refused ? Optional.of(refused.reason()) : Optional.empty();
        if (refusal.isPresent() && !(caller.again() && refusal.get() == Outcome.EXISTS)) {
            throw ErrnoMapping.of(refusal.get());
        }
    }
}
