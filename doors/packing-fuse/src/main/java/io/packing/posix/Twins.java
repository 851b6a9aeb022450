package io.packing.posix;

import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FileVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The nodes that several names of one file lead to. Guarded by {@link Nodes}. */
final class Twins {
    /** What is one file under all of its names. */
    sealed interface Same {}

    /** Nobody can tell them apart, since nothing is written here. */
    record Unchanged(FileVersion version, FileAttributes attributes) implements Same {}

    /** Hard links, by the inode number that programs see. */
    record Linked(long inode) implements Same {}

    private final boolean shares;
    private final InodeNumbers numbers;
    private final Map<Same, Node> nodes = new HashMap<>();

    /** @param shares whether files that are the same version are one */
    Twins(boolean shares, InodeNumbers numbers) {
        this.shares = shares;
        this.numbers = numbers;
    }

    /** What a file is one with under other names; empty: it has no other, or need not be one with it. */
    Optional<Same> of(Node parent, FileStatus status) {
        if (status.isDirectory() || status.path().isPast()) {
            return Optional.empty();
        }
        if (shares) {
            return Optional.of(new Unchanged(status.version(), status.attributes()));
        }
        // What a clone of an older version shows is another file by each name as soon as it is changed.
        return status.extras().isLinked() && (!status.isInherited() || status.cloneId() != 0)
                ? Optional.of(new Linked(numbers.of(parent, status)))
                : Optional.empty();
    }

    @Nullable
    Node find(Optional<Same> same) {
        return same.map(nodes::get).orElse(null);
    }

    /** A node is there for all names of a file that is not only read. */
    void link(Node node) {
        if (!shares && !node.isDirectory) {
            become(node, Optional.of(new Linked(node.inode)));
        }
    }

    void become(Node node, Optional<Same> same) {
        remove(node);
        node.same = same;
        same.ifPresent(each -> nodes.putIfAbsent(each, node));
    }

    void remove(Node node) {
        node.same.ifPresent(same -> nodes.remove(same, node));
    }
}
