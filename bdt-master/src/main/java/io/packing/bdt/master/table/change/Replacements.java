// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.WaitingVersions;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * File versions whose deferred claims wait to replace the file at their name: each does when it is committed. A row holds
 * those of one name, by generation; the link of each says where it waits. There are some only where there is a file, so
 * whatever removes or moves the file does so with them. Confined to the writer thread.
 */
public final class Replacements {
    private static final Comparator<Inode> BY_GENERATION = Comparator.comparingLong(Inode::generation);

    private final WriteSet rows;
    private final Consumer<Inode> over;
    private final Counted counted;

    /** Learns of bytes that wait in a directory. */
    interface Counted {
        /** There are so many more; less than none: fewer. */
        void grew(long directory, long bytes) throws IOException;
    }

    /** @param over told of a version that is over without having been committed */
    Replacements(WriteSet rows, Consumer<Inode> over, Counted counted) {
        this.rows = rows;
        this.over = over;
        this.counted = counted;
    }

    /** Returns whether no version waits at a name. */
    public boolean none(EntryLink link) throws IOException {
        return rows.get(Keys.pending(link.parent(), link.name())).isEmpty();
    }

    /** Returns whether a version waits in a directory. */
    public boolean anyIn(long directory) throws IOException {
        return rows.any(Keys.pending(directory, ""), Keys.pending(directory + 1, ""));
    }

    /** Lets a version wait at the name of a file. */
    void add(EntryLink link, Inode version) throws IOException {
        List<Inode> waiting = new ArrayList<>(WaitingVersions.at(rows, link));
        waiting.add(version);
        waiting.sort(BY_GENERATION);
        put(link, waiting);
        rows.put(Keys.numbered(Keys.INODE, version.id()), link.encode());
        counted.grew(link.parent(), version.attributes().length());
    }

    /** A version waits no longer, since it becomes the file; its link stays. */
    public void take(EntryLink link, FileVersion version) throws IOException {
        List<Inode> waiting = new ArrayList<>(WaitingVersions.at(rows, link));
        long before = bytes(waiting);
        waiting.removeIf(inode -> inode.version().equals(version));
        put(link, waiting);
        counted.grew(link.parent(), bytes(waiting) - before);
    }

    /** Ends versions that wait at a name, as if each had been written and then deleted or overwritten. */
    void end(EntryLink link, Predicate<Inode> which) throws IOException {
        List<Inode> waiting = WaitingVersions.at(rows, link);
        List<Inode> ended = waiting.stream().filter(which).toList();
        if (ended.isEmpty()) {
            return;
        }
        put(link, waiting.stream().filter(which.negate()).toList());
        counted.grew(link.parent(), -bytes(ended));
        for (Inode inode : ended) {
            rows.delete(Keys.numbered(Keys.INODE, inode.id()));
            over.accept(inode);
        }
    }

    /** Those that wait move along with the file. */
    void move(EntryLink from, EntryLink to) throws IOException {
        List<Inode> waiting = WaitingVersions.at(rows, from);
        if (waiting.isEmpty()) {
            return;
        }
        put(from, List.of());
        put(to, waiting);
        counted.grew(from.parent(), -bytes(waiting));
        counted.grew(to.parent(), bytes(waiting));
        for (Inode inode : waiting) {
            rows.put(Keys.numbered(Keys.INODE, inode.id()), to.encode());
        }
    }

    /** Changes those that wait at a name; their ids and generations stay. */
    public void change(EntryLink link, UnaryOperator<Inode> change) throws IOException {
        List<Inode> waiting = WaitingVersions.at(rows, link);
        if (!waiting.isEmpty()) {
            put(link, waiting.stream().map(change).toList());
        }
    }

    /** Ends what sessions before this one of its worker left waiting: the worker came back without it. */
    public void endOlder(SessionId session) throws IOException {
        List<EntryLink> links = new ArrayList<>();
        rows.scan(Keys.kind(Keys.PENDING), Keys.kindEnd(Keys.PENDING), (key, row) -> {
            if (WaitingVersions.decode(row).stream().anyMatch(inode -> isOlder(inode, session))) {
                links.add(new EntryLink(Keys.number(key), Keys.entryName(key)));
            }
            return true;
        });
        for (EntryLink link : links) {
            end(link, inode -> isOlder(inode, session));
        }
    }

    private static boolean isOlder(Inode inode, SessionId session) {
        return inode.place() instanceof Inode.Buffered buffered
                && buffered.worker().equals(session.worker())
                && buffered.sessionEpoch() < session.sessionEpoch();
    }

    private static long bytes(List<Inode> waiting) {
        return waiting.stream().mapToLong(inode -> inode.attributes().length()).reduce(0, Math::addExact);
    }

    private void put(EntryLink link, List<Inode> waiting) {
        byte[] key = Keys.pending(link.parent(), link.name());
        if (waiting.isEmpty()) {
            rows.delete(key);
            return;
        }
        rows.put(key, WaitingVersions.encode(waiting));
    }
}
