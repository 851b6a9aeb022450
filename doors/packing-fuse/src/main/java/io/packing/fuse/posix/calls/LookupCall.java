// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.fuse.Entry;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.LongNames;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.node.NameCache;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.node.ReplacedFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The lookups of names. */
public final class LookupCall {
    private final OpenMount open;
    private final NameCalls names;

    public LookupCall(OpenMount open, NameCalls names) {
        this.open = open;
        this.names = names;
    }

    public Entry lookup(Node parent, String name) throws FuseException, IOException {
        Entry found = names.shared(() -> find(parent, name));
        if (found.node() == 0 && LongNames.isTooLongForNew(name)) {
            // Linux answers so where no older version could have made the name.
            throw new FuseException(Errno.ENAMETOOLONG);
        }
        return found;
    }

    private Entry find(Node parent, String name) throws FuseException, IOException {
        Optional<Node> known = open.nodes.child(parent, name);
        if (known.isPresent() && NameCalls.isPending(known.get())) {
            return names.counted(known.get());
        }
        if (known.isEmpty() && isKnownToLack(parent, name)) {
            return open.nothing();
        }
        FilePath path = open.nodes.path(parent).child(name);
        if (open.source.watchesReads()) {
            open.source.wasLookedUp(path);
        }
        Optional<ReplacedFiles.Found> pinned = open.replaced.isAskedAgain(parent, name)
                        && path.whyNotForUsers().isEmpty()
                ? ReplacedFiles.find(open, path)
                : Optional.empty();
        Optional<FileStatus> there =
                pinned.isPresent() ? Optional.of(pinned.get().status()) : there(path);
        open.notice(parent, path, there);
        if (there.isEmpty() && open.source.makes(path)) {
            return open.nothing(Duration.ZERO);
        }
        if (there.isEmpty()) {
            // Another client deleted it, unless this mount has created it meanwhile.
            Optional<Node> now = open.nodes.child(parent, name);
            if (now.isPresent() && NameCalls.isPending(now.get())) {
                return names.counted(now.get());
            }
            if (!open.isListed()) {
                learnNames(parent);
            }
            return open.nothing();
        }
        Entry entry = names.counted(parent, name, there.get());
        pinned.ifPresent(found -> open.replaced.keep(entry.node(), found));
        return entry;
    }

    private Optional<FileStatus> there(FilePath path) throws IOException {
        if (path.whyNotForUsers().isPresent()) {
            return Optional.empty();
        }
        Optional<FileStatus> there = open.stat(path);
        return there.isEmpty() && open.source.makes(path) && open.source.make(path)
                ? open.bdt().stat(path)
                : there;
    }

    private boolean isKnownToLack(Node parent, String name) {
        if (name.equals(FilePath.SNAPSHOTS) || open.source != TreeSource.NONE) {
            // No listing has this name, though each directory has it; nor has a listing names that are made on demand.
            return false;
        }
        NameCache known = parent.names;
        long valid = open.settings.valid().toNanos();
        return known != null && known.lacks(name, open.nanoTime.getAsLong(), valid);
    }

    /** Learns all names of a directory at once, after vain lookups of many. */
    private void learnNames(Node parent) throws FuseException, IOException {
        NameCache old = parent.names;
        if (old == null) {
            parent.names = new NameCache(open.nanoTime.getAsLong(), false);
        } else if (old.isListingDue()) {
            NameCache learnt = new NameCache(open.nanoTime.getAsLong(), false);
            // Set it first: new names are then added to it.
            parent.names = learnt;
            learnt.take(open.bdt(), open.nodes.path(parent));
        }
    }
}
