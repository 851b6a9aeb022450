// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.fuse.Entry;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.LongNames;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.node.LookAhead;
import io.packing.fuse.posix.node.NameCache;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.node.ReplacedFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The lookups of names. */
public final class LookupCall {
    /** The answers that renames may make old before a lookup waits until there are none. */
    private static final int TRIES = 4;

    private final OpenMount open;
    private final NameCalls names;

    public LookupCall(OpenMount open, NameCalls names) {
        this.open = open;
        this.names = names;
    }

    public Entry lookup(Node parent, String name) throws FuseException, IOException {
        Entry found = settled(parent, name);
        if (found.node() == 0 && LongNames.isTooLongForNew(name)) {
            // Linux answers so where no older version could have made the name.
            throw new FuseException(Errno.ENAMETOOLONG);
        }
        return found;
    }

    /** Finds a name; asks again when a rename in the directory may have made the table's answer old. */
    private Entry settled(Node parent, String name) throws FuseException, IOException {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            long moves = parent.moves();
            Optional<Entry> found = names.shared(() -> find(parent, name, moves));
            if (found.isPresent()) {
                return found.get();
            }
        }
        // Hold the tree alone, so that no file is renamed meanwhile.
        open.tree.writeLock().lock();
        try {
            return find(parent, name, parent.moves())
                    .orElseThrow(() -> new FuseException(Errno.EIO, "a rename while the tree was held alone"));
        } finally {
            open.tree.writeLock().unlock();
        }
    }

    /** Finds a name; empty if a file was renamed in the directory meanwhile. */
    private Optional<Entry> find(Node parent, String name, long moves) throws FuseException, IOException {
        Optional<Node> known = open.nodes.child(parent, name);
        if (known.isPresent() && NameCalls.isPending(known.get())) {
            return Optional.of(names.counted(known.get()));
        }
        if (open.nodes.removed.has(parent, name) || (known.isEmpty() && isKnownToLack(parent, name))) {
            return Optional.of(open.answers.nothing());
        }
        if (known.isPresent() && !open.replaced.isAskedAgain(parent, name)) {
            Optional<Entry> fresh = freshlyCounted(known.get());
            if (fresh.isPresent()) {
                return fresh;
            }
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
                pinned.isPresent() ? Optional.of(pinned.get().status()) : there(known, path);
        open.notice(parent, path, there);
        if (there.isEmpty() && open.source.makes(path)) {
            return Optional.of(open.answers.nothing(Duration.ZERO));
        }
        if (there.isEmpty()) {
            // Another client deleted it, unless this mount has created it meanwhile.
            Optional<Node> now = open.nodes.child(parent, name);
            if (now.isPresent() && NameCalls.isPending(now.get())) {
                return Optional.of(names.counted(now.get()));
            }
            if (!open.isListed()) {
                learnNames(parent);
            }
            return Optional.of(open.answers.nothing());
        }
        Optional<Entry> entry = names.counted(parent, name, there.get(), moves);
        if (entry.isPresent() && pinned.isPresent()) {
            open.replaced.keep(entry.get().node(), pinned.get());
        }
        return entry;
    }

    /** Returns the entry of a node that the table need not be asked for, with one lookup more; empty: it must be. */
    private Optional<Entry> freshlyCounted(Node node) throws FuseException {
        LookAhead.awaitAnswer(node);
        node.lock.lock();
        try {
            if (!open.answers.isFresh(node)) {
                return Optional.empty();
            }
            open.nodes.lookedUp(node);
            return Optional.of(open.answers.entry(node));
        } finally {
            node.lock.unlock();
        }
    }

    private Optional<FileStatus> there(Optional<Node> known, FilePath path) throws IOException {
        if (path.whyNotForUsers().isPresent()) {
            return Optional.empty();
        }
        Optional<FileStatus> there = known.isPresent() && !open.isListed() && open.source == TreeSource.NONE
                ? open.ahead.stat(known.get(), path)
                : open.stat(path);
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
