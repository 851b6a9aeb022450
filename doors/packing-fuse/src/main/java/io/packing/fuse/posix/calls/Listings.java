// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.fuse.DirectoryEntries;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Mode;
import io.packing.fuse.Opened;
import io.packing.fuse.posix.LongNames;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The open directories. A listing is taken whole at its begin, so that each entry comes once, despite concurrent
 * changes. An entry's place is a number made of its name: it means the same to a restarted server.
 */
public final class Listings {
    /** The places of the two entries that every directory has. */
    private static final long SELF = 1;

    private static final long PARENT = 2;
    private static final long FIRST = 3;

    private final OpenMount open;
    private final NameCalls names;
    private final AtomicLong last = new AtomicLong();
    private final Map<Long, Listing> listings = new ConcurrentHashMap<>();

    /** An entry: either a status of the table, or a local node. */
    private record Item(String name, Optional<FileStatus> status, Optional<Node> pending) {}

    /** The entries by their places. Guarded by this object. */
    private static final class Listing {
        private NavigableMap<Long, Item> items = new TreeMap<>();
        private boolean taken;
    }

    public Listings(OpenMount open, NameCalls names) {
        this.open = open;
        this.names = names;
    }

    public Opened open(Node node) throws FuseException {
        if (!node.isDirectory) {
            throw new FuseException(Errno.ENOTDIR);
        }
        long handle = last.incrementAndGet();
        listings.put(handle, new Listing());
        return new Opened(handle, 0);
    }

    public void release(long handle) {
        listings.remove(handle);
    }

    public void list(Node node, long handle, long offset, DirectoryEntries entries) throws FuseException, IOException {
        // The handle belongs to an earlier server, or is unknown.
        Listing listing = listings.getOrDefault(handle, new Listing());
        synchronized (listing) {
            if (offset == 0 || !listing.taken) {
                listing.items = take(node);
                listing.taken = true;
            }
            if (offset < SELF && !addDot(entries, node, ".", SELF)) {
                return;
            }
            if (offset < PARENT && !addDot(entries, node, "..", PARENT)) {
                return;
            }
            for (Map.Entry<Long, Item> item :
                    listing.items.tailMap(offset, false).entrySet()) {
                if (!entries.fits(item.getValue().name())) {
                    return;
                }
                add(entries, node, item.getValue(), item.getKey());
            }
        }
    }

    private static boolean addDot(DirectoryEntries entries, Node node, String name, long place) {
        if (!entries.fits(name)) {
            return false;
        }
        entries.add(name, node.inode, Mode.DIRECTORY, place);
        return true;
    }

    private void add(DirectoryEntries entries, Node parent, Item item, long place) throws FuseException, IOException {
        if (item.pending().isPresent()) {
            Node node = item.pending().get();
            if (entries.wantsNodes() && !node.unlinked) {
                entries.add(item.name(), names.counted(node), place);
            } else {
                entries.add(item.name(), node.inode, Mode.REGULAR, place);
            }
            return;
        }
        FileStatus status = item.status().orElseThrow();
        if (!entries.wantsNodes()) {
            entries.add(item.name(), open.nodes.numbers.of(parent, status), Node.type(status), place);
            return;
        }
        Optional<Node> known = open.nodes.child(parent, item.name());
        if (known.isPresent() && !open.nodes.isOf(known.get(), status)) {
            // Another file has the name since, and the listing's status must not replace it.
            entries.add(item.name(), open.nodes.numbers.of(parent, status), Node.type(status), place);
            return;
        }
        entries.add(item.name(), names.counted(parent, item.name(), status), place);
    }

    private NavigableMap<Long, Item> take(Node node) throws FuseException, IOException {
        List<Item> all = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        open.tree.readLock().lock();
        try {
            FilePath path = open.nodes.path(node);
            // Take them before the listing: the table may lose one between.
            Set<String> removed = open.nodes.removed.in(node);
            if (open.source.watchesReads()) {
                open.source.wasListed(path);
            }
            for (FileStatus status : open.list(path).orElseThrow(() -> new FuseException(Errno.ENOENT))) {
                if (!LongNames.isListed(status.path().name())) {
                    leftOut.add(status.path().name());
                } else if (status.path().whyNotForUsers().isEmpty()
                        && !removed.contains(status.path().name())) {
                    all.add(new Item(status.path().name(), Optional.of(status), Optional.empty()));
                }
            }
            open.longNames.leaveOut(path, leftOut);
            for (Node pending : open.nodes.pendingIn(node)) {
                all.add(new Item(pending.name, Optional.empty(), Optional.of(pending)));
            }
        } finally {
            open.tree.readLock().unlock();
        }
        return placed(all);
    }

    private static NavigableMap<Long, Item> placed(List<Item> all) {
        NavigableMap<Long, Item> placed = new TreeMap<>();
        for (Item item : all) {
            long place = place(item.name());
            // Two names with one place get two places in a row, in the order of their names.
            while (placed.containsKey(place) && !placed.get(place).name().equals(item.name())) {
                place++;
            }
            placed.put(place, item);
        }
        return placed;
    }

    /** Returns the FNV-1a hash of a name, by which short names differ in all bits. */
    private static long place(String name) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        return Math.max(FIRST, hash >>> 2);
    }
}
