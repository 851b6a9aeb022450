// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.PastEntries;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.read.View;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Origin;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.TraversedClone;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Clones of trees (RFC 0001). A clone is a directory with an {@link Origin}: a snapshot of the source without a name is taken, and
 * what the clone has no entry of is looked for there. What is about to change becomes the clone's own first, with the
 * directories above it, so that all other mutations know nothing of clones. Confined to the writer thread.
 */
public final class TreeClones {
    private final Transaction transaction;
    private final Namespace namespace;
    private final PastRows past;
    private final CloneLinks links;

    public TreeClones(Transaction transaction) {
        this.transaction = transaction;
        this.namespace = transaction.namespace();
        this.past = transaction.past();
        this.links = new CloneLinks(transaction);
    }

    /** Finds the directory to clone. A clone's directory becomes its own first when names in it may lead to files that only the clone has. */
    public ResolvedPath source(FilePath path) throws IOException {
        ResolvedPath found = namespace.find(path);
        boolean isInherited =
                !found.isPresent() && !path.isPast() && found.inode().isPresent();
        if (isInherited) {
            for (TraversedClone each : found.passages()) {
                if (each.isPresent() && links.isUsed(each.cloneId())) {
                    return toChange(path);
                }
            }
        }
        return found;
    }

    /** Makes a clone, as of a position. */
    public void add(JournalEntry.Cloned cloned, ResolvedPath source, EntryLink at, long position) throws IOException {
        Inode directory = source.inode().orElseThrow();
        Snapshot snapshot = source.snapshot()
                .orElse(new Snapshot(
                        directory.id(), position, "", cloned.nextId(), cloned.takenMillis(), false, Optional.empty()));
        List<TraversedClone> passages = past(source.passages());
        passages.add(TraversedClone.through(cloned.id()));
        Origin origin = snapshot.origin(directory, passages);
        origin.whyTooDeep(cloned.source()).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        if (source.isPresent()) {
            past.sight().put(snapshot);
        }
        FileAttributes old = directory.attributes();
        FileAttributes own = new FileAttributes(0, cloned.takenMillis(), old.owner(), old.group(), old.mode());
        Inode clone = add(
                at,
                cloned.id(),
                position,
                directory.with(own, directory.extras().withoutTimes()),
                origin);
        transaction.quotas().arrived(at, clone);
        transaction.quotas().cloned(at.parent(), clone);
    }

    /** @param like whose attributes the clone has */
    private Inode add(EntryLink at, long id, long position, Inode like, Origin origin) throws IOException {
        Inode clone =
                new Inode(id, position, like.attributes(), new Inode.Directory(Optional.of(origin)), like.extras());
        transaction.inherit(at.parent(), at.name(), clone);
        for (Origin.Need each : origin.uses()) {
            transaction.rows().put(each.key(id), new byte[0]);
        }
        past.cloneCame();
        links.arrived(origin);
        return clone;
    }

    /**
     * The clones of the past. What they have does not change any more, but for a file that is seen through several of them it counts
     * through which: it is another file in each.
     */
    private static List<TraversedClone> past(List<TraversedClone> passages) {
        return new ArrayList<>(
                passages.stream().filter(each -> !each.isPresent()).toList());
    }

    /** Finds the entry at a path that is about to change. An entry that a clone has from its origin is the clone's own from now on. */
    public ResolvedPath toChange(FilePath path) throws IOException {
        ResolvedPath found = namespace.find(path);
        if (found.isPresent() || path.isPast()) {
            return found;
        }
        makeOwn(path);
        return namespace.find(path);
    }

    /** Finds an entry that is about to change, as the other does, of a target that was reached after the last change. */
    Target toChange(Target target) throws IOException {
        if (target.found().isPresent() || target.path().isPast()) {
            return target;
        }
        makeOwn(target.path());
        return target.again();
    }

    /** Finds the place of an entry that hides the one of the origin. */
    public ResolvedPath toReplace(FilePath path) throws IOException {
        ResolvedPath found = namespace.find(path);
        Optional<FilePath> parent = path.parent();
        if (found.isPresent() || parent.isEmpty()) {
            return found;
        }
        ResolvedPath up = toChange(parent.get());
        return up.inode().isPresent() && up.inode().get().isDirectory()
                ? ResolvedPath.nothing(Outcome.DONE, View.present(up.inode().get()), path.name())
                : namespace.find(path);
    }

    /** Everything that a directory has from its origin is its own from now on. */
    public void makeOwnAllIn(FilePath path, Inode directory) throws IOException {
        if (directory.origin().isEmpty()) {
            return;
        }
        String after = "";
        for (boolean more = true; more; ) {
            List<PastEntries.Named> page = namespace.views().list(View.present(directory), after, 1_000);
            for (PastEntries.Named each : page) {
                toChange(path.child(each.name()));
                after = each.name();
            }
            more = page.size() == 1_000;
        }
    }

    private void makeOwn(FilePath path) throws IOException {
        List<FilePath> way = new ArrayList<>();
        for (Optional<FilePath> up = Optional.of(path);
                up.isPresent() && !up.get().isRoot();
                up = up.get().parent()) {
            way.add(0, up.get());
        }
        View at = View.ROOT;
        for (FilePath each : way) {
            // Of each level but the last one the cache may know it.
            Optional<View.Seen> seen =
                    each.equals(path) ? namespace.views().entry(at, each.name()) : namespace.directory(at, each.name());
            if (seen.isEmpty()) {
                return;
            }
            Inode own = seen.get().snapshot().isEmpty()
                    ? seen.get().inode()
                    : makeOwn(each, new EntryLink(at.directory(), each.name()), seen.get());
            if (!own.isDirectory()) {
                return;
            }
            at = View.present(own);
        }
    }

    private Inode makeOwn(FilePath path, EntryLink at, View.Seen seen) throws IOException {
        if (!seen.inode().isDirectory()) {
            return makeFileOwn(path, at, seen);
        }
        long id = transaction.change().nextId();
        long position = transaction.change().nextPosition();
        Inode own = makeDirectoryOwn(at, seen, id, position);
        transaction.change().journal(position, new JournalEntry.Owned(path, id));
        return own;
    }

    /** A directory that a clone has from its origin is its own as of a position. */
    public Inode makeDirectoryOwn(EntryLink at, View.Seen seen, long id, long position) throws IOException {
        List<TraversedClone> passages = past(seen.passages());
        seen.passages().stream().filter(TraversedClone::isPresent).forEach(passages::add);
        Origin origin = seen.snapshot().orElseThrow().origin(seen.inode(), passages);
        origin.whyTooDeep().ifPresent(why -> {
            throw new IllegalArgumentException(at.name() + ": " + why);
        });
        return add(at, id, position, seen.inode(), origin);
    }

    private Inode makeFileOwn(FilePath path, EntryLink at, View.Seen seen) throws IOException {
        Optional<Inode> joined = links.join(path, at, seen);
        if (joined.isPresent()) {
            return joined.get();
        }
        Inode file = namespace.views().follow(seen).inode();
        boolean hasSeveral = seen.inode().place() instanceof Inode.Linked;
        EntryLink original = hasSeveral ? HiddenDirectories.file(file.id()) : new EntryLink(seen.parent(), at.name());
        FileAttributes attributes = file.attributes();
        ReferenceMap map = ReferenceMap.EMPTY;
        if (attributes.length() > 0) {
            Inode shared = FragmentedMaps.whole(transaction.rows(), transaction.share(original, file));
            map = ((Inode.Mapped) shared.place()).map();
        }
        long id = transaction.change().nextId();
        long position = transaction.change().nextPosition();
        int names = links.names(seen, file);
        Inode own = new Inode(
                id, position, attributes, new Inode.Mapped(map), file.extras().withLinks(names));
        transaction.refer(own);
        EntryLink place = names > 0 ? HiddenDirectories.file(id) : at;
        transaction.inherit(place.parent(), place.name(), own);
        transaction.change().journal(position, transaction.contents().entry(path, own, map));
        if (names > 0) {
            return links.add(path, at, seen, own);
        }
        // A name of several may have counted otherwise than the file does.
        transaction
                .quotas()
                .grew(
                        at.parent(),
                        QuotaUse.of(own).bytes() - QuotaUse.of(seen.inode()).bytes());
        return own;
    }

    /** An own entry of a directory left it: what the origin has by its name does not show from now on. */
    static void left(Transaction transaction, EntryLink at) throws IOException {
        if (transaction.past().hasClones()) {
            new TreeClones(transaction).left(at);
        }
    }

    private void left(EntryLink at) throws IOException {
        Optional<EntryLink> link = namespace.link(at.parent());
        Optional<Inode> directory = link.isPresent()
                ? namespace.entry(link.get().parent(), link.get().name())
                : Optional.empty();
        if (directory.isEmpty() || directory.get().origin().isEmpty()) {
            return;
        }
        // One that is gone already is not found. One that is lost may come back later.
        View in = View.present(directory.get());
        if (namespace.views().inherited(in, at.name()).isPresent()
                || (transaction.journal().awaitsLostFiles()
                        && !namespace.views().isGone(in, at.name()))) {
            transaction
                    .rows()
                    .put(
                            Keys.gone(at.parent(), at.name()),
                            new Bytes.Out()
                                    .number(transaction.change().upcomingPosition())
                                    .toBytes());
        }
    }

    /** A row of a directory went: when the last of them has gone, its origin is needed no more. */
    public static void release(Transaction transaction, Inode inode) throws IOException {
        if (inode.origin().isPresent()) {
            new TreeClones(transaction).release(inode);
        }
    }

    private void release(Inode directory) throws IOException {
        long id = directory.id();
        if (directory.origin().isEmpty() || namespace.link(id).isPresent() || past.has(id)) {
            return;
        }
        for (Origin.Need each : directory.origin().get().uses()) {
            transaction.rows().delete(each.key(id));
            Optional<Snapshot> snapshot = past.snapshot(each.owner(), each.position());
            if (snapshot.isPresent() && snapshot.get().isHidden() && !isUsed(each.owner(), each.position())) {
                past.sight().put(snapshot.get().drop());
            }
        }
        transaction.rows().put(Keys.numbered(Keys.REAP, id), new byte[0]);
        past.cloneWent();
    }

    /** Returns whether clones need a snapshot. */
    public boolean isUsed(long owner, long position) throws IOException {
        return transaction.rows().any(Keys.use(owner, position, 0), Keys.use(owner, position, Long.MAX_VALUE));
    }

    /**
     * Forgets names that the origin of a directory shows no more, once no snapshot sees the directory.
     *
     * @return how many, at most so many
     */
    public int forgetGone(long directory, int most) throws IOException {
        List<byte[]> gone = new ArrayList<>();
        if (namespace.link(directory).isEmpty() && !past.sees(directory)) {
            byte[] from = Keys.gone(directory, "");
            transaction.rows().scan(from, Keys.gone(directory + 1, ""), (key, value) -> {
                gone.add(key);
                return gone.size() < most;
            });
        }
        gone.forEach(transaction.rows()::delete);
        return gone.size();
    }
}
