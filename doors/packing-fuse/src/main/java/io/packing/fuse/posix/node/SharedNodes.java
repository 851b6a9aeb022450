// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FileVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The nodes to which several names of one file lead. Guarded by {@link Nodes}. */
final class SharedNodes {
    /** The identity of a file under all of its names. */
    sealed interface FileIdentity {}

    /** The identity in a read-only mount, where programs cannot tell equal files apart. */
    record Unchanged(FileVersion version, FileAttributes attributes) implements FileIdentity {}

    /** The identity of hard links, by the inode number that programs see. */
    record Linked(long inode) implements FileIdentity {}

    private final boolean shares;
    private final InodeNumbers numbers;
    private final Map<FileIdentity, Node> nodes = new HashMap<>();

    /** @param shares true if files of one version are one file */
    SharedNodes(boolean shares, InodeNumbers numbers) {
        this.shares = shares;
        this.numbers = numbers;
    }

    /** Returns the identity of a file with its other names; empty: it has none, or need not share them. */
    Optional<FileIdentity> of(Node parent, FileStatus status) {
        if (status.isDirectory() || status.path().isPast()) {
            return Optional.empty();
        }
        if (shares) {
            return Optional.of(new Unchanged(status.version(), status.attributes()));
        }
        // In a clone of an older version each name becomes another file with a change.
        return status.extras().isLinked() && (!status.isInherited() || status.cloneId() != 0)
                ? Optional.of(new Linked(numbers.of(parent, status)))
                : Optional.empty();
    }

    @Nullable
    Node find(Optional<FileIdentity> same) {
        return same.map(nodes::get).orElse(null);
    }

    /** Makes a node serve all names of a writable file. */
    void link(Node node) {
        if (!shares && !node.isDirectory) {
            become(node, Optional.of(new Linked(node.inode)));
        }
    }

    void become(Node node, Optional<FileIdentity> same) {
        remove(node);
        node.same = same;
        same.ifPresent(each -> nodes.putIfAbsent(each, node));
    }

    void remove(Node node) {
        node.same.ifPresent(same -> nodes.remove(same, node));
    }
}
