// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.Unread;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A step of a mount's table: the rows as mutations change them, with the bookkeeping that every change entails: counters,
 * links, live bytes, quotas, journal, answered requests, leased ids. All of it is kept or taken back together: for a mutation with
 * {@link #accept} or {@link #reject}, for the batch of mutations that is written at once with {@link #written} or
 * {@link #abandon}. Confined to the writer thread.
 */
public final class Transaction {
    private final WriteSet writes;
    private final Counters counters;
    private final StagedCounters stagedCounters;
    private final Journal journal;
    private final Change change;
    private final Sessions sessions;
    private final RequestMemory requests;
    private final LiveBytes live;
    private final KnownBlobs blobs;
    private final Namespace namespace;
    private final Replacements replacements;
    private final Contents contents;
    private final FragmentedMaps maps;
    private final PastRows past;
    private final Quotas quotas;
    private final UnclaimedIds unclaimed = new UnclaimedIds();
    private final DroppedFiles dropped = new DroppedFiles();
    /** All that is kept or taken back with the rows, the rows among it. */
    private final List<Staged> staged;

    /** @param journalled whether changes of the namespace are new, and not those of a journal that is replayed */
    public Transaction(WriteSet writes, TableMemory memory, boolean journalled) throws IOException {
        this.requests = memory.requests();
        this.sessions = memory.sessions();
        this.writes = writes;
        this.journal = new Journal(writes, sessions.recoveries(), !journalled);
        this.counters = memory.counters();
        this.change = new Change(counters, journal, dropped);
        this.namespace = new Namespace(writes, memory.directories().below(writes), this::session);
        this.quotas = new Quotas(writes, namespace, journalled);
        this.replacements = new Replacements(writes, gone -> dropped.add(gone.version(), gone.place()), quotas::grew);
        this.live = new LiveBytes(writes, counters, namespace);
        this.blobs = new KnownBlobs(writes, counters, namespace, live);
        this.contents = new Contents(writes, live::count, dropped::add, this::isWithoutPast);
        this.maps = new FragmentedMaps(writes, contents, memory.form(), change::nextLayer);
        this.past = new PastRows(
                writes, namespace, contents, maps.layers(), this::share, change::journal, memory.dropped());
        this.stagedCounters = new StagedCounters(counters, writes);
        // The counters write rows, so they come before the rows.
        this.staged =
                List.of(past, quotas, contents, live, dropped, change, stagedCounters, writes, requests, unclaimed);
    }

    private boolean isWithoutPast() throws IOException {
        return past.isEmpty();
    }

    /** Begins a batch of mutations. */
    public void begin() {
        stagedCounters.begin();
    }

    public WriteSet rows() {
        return writes;
    }

    public Counters counters() {
        return counters;
    }

    public Namespace namespace() {
        return namespace;
    }

    public Replacements replacements() {
        return replacements;
    }

    /** Returns the accounts of bytes in blobs that files need. */
    public LiveBytes live() {
        return live;
    }

    public KnownBlobs blobs() {
        return blobs;
    }

    /** Returns the contents that several files share. */
    public Contents contents() {
        return contents;
    }

    /** Returns the maps of fragmented files. */
    public FragmentedMaps maps() {
        return maps;
    }

    /** Returns the rows of the past, which snapshots see. */
    public PastRows past() {
        return past;
    }

    /** Returns the counts of directories with a quota. */
    public Quotas quotas() {
        return quotas;
    }

    /** Returns whether changes are those of a journal that is replayed. */
    public boolean isReplay() {
        return journal.isReplayed();
    }

    /** Returns the ids, the positions and the journal entries of mutations. */
    public Change change() {
        return change;
    }

    /** Returns the journal, to which {@link #change} adds. */
    public Journal journal() {
        return journal;
    }

    public UnclaimedIds unclaimed() {
        return unclaimed;
    }

    public RequestMemory requests() {
        return requests;
    }

    /** Remembers the answer to a request that has a number, at a position of its own. */
    public void remember(long request, Outcome outcome) {
        if (request != 0) {
            requests.remember(writes, change.nextPosition(), request, outcome);
        }
    }

    /** Finds a path that is about to change. An entry that a clone has from its origin becomes the clone's own first. */
    public ResolvedPath toChange(FilePath path) throws IOException {
        return past.hasClones() ? new TreeClones(this).toChange(path) : namespace.find(path);
    }

    /** Finds an entry that is about to change, as the other does, of a target that was reached after the last change. */
    public Target toChange(Target target) throws IOException {
        return past.hasClones() ? new TreeClones(this).toChange(target) : target;
    }

    /** Returns the files that workers may forget because of the mutations of the batch. */
    public List<DroppedFiles.Order> drops() {
        return dropped.orders();
    }

    /** Puts a new inode into the namespace. */
    public void add(long parent, String name, Inode inode) throws IOException {
        inherit(parent, name, inode);
        quotas.arrived(new EntryLink(parent, name), inode);
    }

    /** Puts a new inode into the namespace where an entry was seen before, which quotas count already. */
    void inherit(long parent, String name, Inode inode) {
        put(parent, name, inode);
        writes.put(Keys.numbered(Keys.INODE, inode.id()), new EntryLink(parent, name).encode());
        unclaimed.remove(inode.id());
        counters.count(inode, 1);
    }

    /** Lets a new file version wait to replace the file that is there. */
    public void addWaiting(EntryLink at, Inode version) throws IOException {
        replacements.add(at, version);
        unclaimed.remove(version.id());
    }

    /** Replaces an inode where it is. */
    void replace(long parent, String name, Inode before, Inode after) {
        counters.count(before, -1);
        live.adjust(before.place(), -1);
        put(parent, name, after);
        counters.count(after, 1);
        live.adjust(after.place(), 1);
    }

    /** Returns a file with a map. A file that had its bytes alone shares them from now on. */
    public Inode share(EntryLink at, Inode inode) throws IOException {
        if (Inode.hasMap(inode.place())) {
            return inode;
        }
        long length = inode.attributes().length();
        ReferenceMap map = ReferenceMap.whole(inode.id(), length);
        Inode shared = inode.at(new Inode.Mapped(map));
        replace(at.parent(), at.name(), inode, shared);
        if (length == 0) {
            // It has no bytes to share, and its worker has nothing to push.
            dropped.add(inode.version(), inode.place());
        } else {
            contents.add(new Content(inode.id(), inode.generation(), length, inode.place()));
            contents.changed(inode.id(), ReferenceMap.EMPTY, map);
        }
        return shared;
    }

    /** Puts a new file into the namespace whose bytes are those of contents. */
    public void addMapped(EntryLink at, Inode inode) throws IOException {
        refer(inode);
        add(at.parent(), at.name(), inode);
    }

    /** Moves the bytes of a version to another place, whether its file has them alone or shares them. */
    public void place(FileVersion version, Inode.Place place) throws IOException {
        Optional<Content> shared = namespace.content(version);
        if (shared.isPresent()) {
            contents.place(shared.get(), place);
        } else {
            place(namespace.file(version).orElseThrow(), place);
        }
    }

    /** Moves the bytes of a file to another place. */
    public void place(Namespace.Entry entry, Inode.Place place) {
        EntryLink link = entry.link();
        replace(link.parent(), link.name(), entry.inode(), entry.inode().at(place));
    }

    /** Removes an inode and what waits to replace it; what it had in blobs is dead from now on. */
    public void remove(long parent, String name, Inode inode) throws IOException {
        unlink(parent, name, inode, Long.MAX_VALUE);
        if (!inode.isDirectory()) {
            replacements.end(new EntryLink(parent, name), waiting -> true);
        }
    }

    /** Puts a file in the place of one that is there; what waits to replace that one and is older is over as well. */
    public void supersede(EntryLink at, Inode there, Inode newer) throws IOException {
        supersede(at, there, newer, Long.MAX_VALUE);
    }

    /** Puts a file in the place of another one as of an earlier position, which the table did not know. */
    public void supersede(EntryLink at, Inode there, Inode newer, long since) throws IOException {
        // First: the older one may be the last that has these bytes.
        refer(newer);
        unlink(at.parent(), at.name(), there, since);
        replacements.end(at, waiting -> waiting.generation() < newer.generation());
        add(at.parent(), at.name(), newer);
    }

    void refer(Inode newer) throws IOException {
        if (newer.place() instanceof Inode.Mapped mapped) {
            contents.changed(newer.id(), ReferenceMap.EMPTY, mapped.map());
        }
    }

    private void unlink(long parent, String name, Inode there, long since) throws IOException {
        EntryLink at = new EntryLink(parent, name);
        // Before: a row of the past may say from now on where the inode is.
        writes.delete(Keys.numbered(Keys.INODE, there.id()));
        Inode inode = past.beforeLeaving(at, there, since);
        quotas.left(at, inode);
        writes.delete(Keys.entry(parent, name));
        counters.count(inode, -1);
        live.adjust(inode.place(), -1);
        TreeClones.left(this, at);
        TreeClones.release(this, inode);
        HardLinks.left(this, inode);
        CloneLinks.left(this, inode);
        if (inode.place() instanceof Inode.Mapped mapped) {
            contents.changed(inode.id(), mapped.map(), ReferenceMap.EMPTY);
        } else if (inode.place() instanceof Inode.Fragmented) {
            maps.left(inode);
        }
        dropped.add(inode.version(), inode.place());
        if (inode.place() instanceof Inode.Missing) {
            // Not so a content: files that no table knows yet may have its bytes.
            dropped.missing(inode.id());
        }
    }

    /** Moves an inode; whatever is below it, or waits to replace it, moves along. */
    public void move(long fromParent, String fromName, long toParent, String toName, Inode inode) throws IOException {
        if (!inode.isDirectory()) {
            replacements.move(new EntryLink(fromParent, fromName), new EntryLink(toParent, toName));
        }
        relink(fromParent, fromName, toParent, toName, inode);
    }

    /** Gives an entry other attributes. */
    public void setAttributes(EntryLink at, Inode before, FileAttributes attributes, ExtraAttributes extras)
            throws IOException {
        Inode kept = past.beforeChange(at, before);
        put(at.parent(), at.name(), kept.with(attributes, extras));
    }

    /** Moves an inode for which nothing waits to replace it. */
    public void relink(long fromParent, String fromName, long toParent, String toName, Inode there) throws IOException {
        EntryLink from = new EntryLink(fromParent, fromName);
        EntryLink to = new EntryLink(toParent, toName);
        quotas.moved(fromParent, toParent, there);
        Inode inode = past.beforeChange(from, there);
        if (inode.isDirectory()) {
            past.pin(from, inode.id());
        }
        past.beforeArrival(to);
        writes.delete(Keys.entry(fromParent, fromName));
        put(toParent, toName, inode);
        writes.put(Keys.numbered(Keys.INODE, inode.id()), to.encode());
        TreeClones.left(this, from);
    }

    /** Writes an entry that counts as before. */
    void put(long parent, String name, Inode inode) {
        writes.put(Keys.entry(parent, name), inode.encode());
    }

    /**
     * Learns that this mutation is about to put a file in the place of an older one. While a recovery's object is unread, that one may have
     * another path in it.
     */
    public void replaces() throws IOException {
        if (sessions.recoveries().newestAt() > 0 && writes.get(Unread.KEY).isPresent()) {
            dropped.undecided();
        }
    }

    /** The buffered files that this mutation removes were deleted some time ago; the journal should say so soon. */
    public void endUrgently() {
        dropped.endUrgently();
    }

    public Optional<SessionRow> session(String worker) {
        Optional<Optional<byte[]>> own = writes.own(Keys.named(Keys.WORKER, worker));
        return own.isPresent() ? own.get().map(row -> SessionRow.decode(worker, row)) : sessions.of(worker);
    }

    public void putSession(SessionRow session) {
        writes.put(Keys.named(Keys.WORKER, session.worker()), session.encode());
    }

    /** Refuses a session that is not its worker's latest. */
    public SessionRow checkSession(SessionId session) throws IOException {
        return sessions.check(session, session(session.worker()));
    }

    public Sessions sessions() {
        return sessions;
    }

    /** Completes a mutation. */
    public void accept() throws IOException {
        Optional<JournalEntry> ended = dropped.entry();
        if (ended.isPresent()) {
            change.journal(ended.get());
        }
        live.settle();
        long last = change.lastPosition();
        if (live.bury(last)) {
            // What removes deleted trees takes no position of its own. An idle mount would never come to it.
            change.learnPosition(last);
        }
        if (!isReplay()) {
            dropped.ordersOfMutation().forEach(order -> requests.ended().remember(writes, order.version()));
        }
        staged.forEach(Staged::accept);
    }

    /** Takes back the changes of a mutation that failed. */
    public void reject() {
        staged.forEach(Staged::reject);
    }

    /** Keeps the changes of the batch: it is on disk. */
    public void written() {
        staged.forEach(Staged::written);
    }

    /** Takes back the changes of all mutations of the batch. */
    public void abandon() {
        staged.forEach(Staged::abandon);
    }
}
