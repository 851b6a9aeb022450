// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import com.google.common.collect.Range;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.Sets;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The contents that have rows of their own, and who refers to them. The rows of the referrers are the count: a content is freed
 * when the last of them goes. Confined to the writer thread.
 */
public final class Contents implements Staged {
    private final WriteSet rows;
    private final Accounts accounts;
    private final Consumer<Content> freed;
    private final LostRanges lostRanges;
    /** Contents that got a referrer of the past in this batch, which they still have. */
    private final Set<Long> held = new HashSet<>();

    /**
     * First keys at which a content can have a referrer, of contents that lost one in this batch. Each look begins there, and does not pass
     * the rows that were removed before.
     */
    private final Map<Long, byte[]> firstReferrers = new HashMap<>();

    /** Inodes that went into the past in this batch, and the maps that the past has of them. */
    private final Map<Long, ReferenceMap> kept = new HashMap<>();

    /** The counts of contents that a mount keeps. */
    interface Accounts {
        /** A content is there from now on (1), or not any more (-1). */
        void count(Content content, int sign);
    }

    /** @param freed told of a content that nobody refers to any more */
    Contents(WriteSet rows, MapForm form, Accounts accounts, Consumer<Content> freed) {
        this.rows = rows;
        this.lostRanges = new LostRanges(form);
        this.accounts = accounts;
        this.freed = freed;
    }

    public Optional<Content> get(long id) throws IOException {
        return Content.find(rows, id);
    }

    /** Gives a content a row; an inode must come to refer to it. */
    public void add(Content content) {
        put(content);
        accounts.count(content, 1);
    }

    /** Moves the bytes of a content to another place. */
    public void place(Content content, Inode.Place place) {
        accounts.count(content, -1);
        add(content.at(place));
    }

    /**
     * A session of a worker says that it has the bytes of a content.
     *
     * @param claimed whether its claim is deferred, should the table not know
     * @return whether it does, as far as the table knows, or they are in blobs by now
     */
    public boolean reclaim(Content content, SessionId session, boolean claimed) {
        if (content.place() instanceof Inode.Packed) {
            return true;
        }
        boolean deferred = claimed;
        if (content.place() instanceof Inode.Buffered buffered) {
            if (!buffered.worker().equals(session.worker())) {
                return false;
            }
            if (buffered.sessionEpoch() == session.sessionEpoch()) {
                return true;
            }
            deferred = buffered.deferred();
        }
        place(content, new Inode.Buffered(session, deferred));
        return true;
    }

    /** An inode's map is another one from now on. */
    void changed(long inode, ReferenceMap before, ReferenceMap after) throws IOException {
        SetMultimap<Long, Range<Long>> old = before.ranges();
        SetMultimap<Long, Range<Long>> now = after.ranges();
        rows.effort().allowMap(old.keySet().size() + now.keySet().size());
        for (long content : Sets.difference(now.keySet(), old.keySet())) {
            putReferrer(content, Keys.referrer(content, inode), new byte[0]);
        }
        ReferenceMap past = kept.get(inode);
        if (past != null && before.equals(past)) {
            // The past has all that the inode had, so there is nothing to give up.
            Sets.difference(old.keySet(), now.keySet()).forEach(content -> rows.delete(Keys.referrer(content, inode)));
            return;
        }
        for (long content : old.keySet()) {
            if (!now.containsKey(content)) {
                drop(content, inode, Keys.referrer(content, inode));
            } else if (!now.get(content).equals(old.get(content))) {
                lookAt(content);
            }
        }
    }

    /** An inode was so until a position: what it has of contents is kept. */
    void hold(ReferenceMap map, long inode, long position, EntryLink at) {
        rows.effort().allowMap(map.contents().size());
        for (long content : map.contents()) {
            putReferrer(content, Keys.pastReferrer(content, inode, position), at.encode());
            held.add(content);
        }
        kept.put(inode, map);
    }

    /** Gives up the bytes of an inode as it was until a position. */
    void release(ReferenceMap map, long inode, long position) throws IOException {
        kept.remove(inode);
        for (long content : map.contents()) {
            held.remove(content);
            drop(content, inode, Keys.pastReferrer(content, inode, position));
        }
    }

    /** A file has its map in rows from now on, or no more: its referrers are others, of the same bytes. */
    void refer(long inode, ReferenceMap map, boolean inRows) {
        for (ReferenceMap.Reference each : map.references()) {
            byte[] part = Keys.partReferrer(each.content(), inode, each.end());
            byte[] whole = Keys.referrer(each.content(), inode);
            if (inRows) {
                putReferrer(each.content(), part, part(each));
                rows.delete(whole);
            } else {
                putReferrer(each.content(), whole, new byte[0]);
                rows.delete(part);
            }
        }
    }

    private static byte[] part(ReferenceMap.Reference reference) {
        return new Referrer.Part(reference.contentOffset(), reference.length()).encode();
    }

    /** A fragmented file has some references no more, and others from now on. */
    void spliced(long inode, MapRows.Changed changed) throws IOException {
        Map<Long, Long> lost = new LinkedHashMap<>();
        for (ReferenceMap.Reference each : changed.gone()) {
            rows.delete(Keys.partReferrer(each.content(), inode, each.end()));
            lost.merge(each.content(), each.length(), Long::sum);
        }
        rows.effort().allowMap(lost.size());
        Set<Long> named = new HashSet<>();
        for (ReferenceMap.Reference each : changed.come()) {
            putReferrer(each.content(), Keys.partReferrer(each.content(), inode, each.end()), part(each));
            lost.computeIfPresent(each.content(), (content, bytes) -> bytes - each.length());
            named.add(each.content());
        }
        for (Map.Entry<Long, Long> each : lost.entrySet()) {
            long content = each.getKey();
            if (!named.contains(content) && !hasReferrer(content)) {
                free(content, inode);
            } else if (each.getValue() > 0 && lostRanges.isDue(content, each.getValue(), this::length)) {
                lookAt(content);
            }
        }
    }

    private long length(long content) throws IOException {
        return get(content).map(Content::length).orElse(0L);
    }

    private void drop(long content, long inode, byte[] referrer) throws IOException {
        rows.delete(referrer);
        if (hasReferrer(content)) {
            lookAt(content);
        } else {
            free(content, inode);
        }
    }

    private void free(long content, long inode) throws IOException {
        Content gone = get(content)
                .orElseThrow(() -> new IOException(
                        "inode %d refers to content %d, which the table does not know".formatted(inode, content)));
        rows.delete(Keys.numbered(Keys.CONTENT, content));
        rows.delete(Keys.numbered(Keys.TRIM, content));
        lostRanges.gone(content);
        accounts.count(gone, -1);
        freed.accept(gone);
    }

    private boolean hasReferrer(long content) throws IOException {
        // A scan would skip all referrers that were removed near it.
        if (held.contains(content)) {
            return true;
        }
        byte[] end = Keys.numbered(Keys.REFERRER, content + 1);
        byte[] from = firstReferrers.getOrDefault(content, Keys.numbered(Keys.REFERRER, content));
        Optional<byte[]> first = rows.firstKey(from, end);
        firstReferrers.put(content, first.orElse(end));
        return first.isPresent();
    }

    private void putReferrer(long content, byte[] key, byte[] value) {
        rows.put(key, value);
        firstReferrers.computeIfPresent(content, (same, first) -> Arrays.compareUnsigned(key, first) < 0 ? key : first);
    }

    /** The batch ends, or mutations of it are taken back. */
    private void forget() {
        held.clear();
        kept.clear();
        firstReferrers.clear();
    }

    /** The inodes that have some of a content, by id; at most so many. */
    public List<Referrer> referrers(long content, int most) throws IOException {
        return Referrer.all(rows, content, most);
    }

    /** The contents that a map names. */
    public List<Content> of(ReferenceMap map) throws IOException {
        List<Content> named = new ArrayList<>();
        for (long content : map.contents()) {
            named.add(known(content));
        }
        return named;
    }

    private Content known(long content) throws IOException {
        return get(content).orElseThrow(() -> new IOException("the table does not know content %d".formatted(content)));
    }

    /** Returns the journal entry of splices of a fragmented file. */
    JournalEntry.Spliced entry(FilePath path, Inode before, Inode file, List<JournalEntry.Splice> splices)
            throws IOException {
        Set<Long> named = new LinkedHashSet<>();
        splices.forEach(each -> named.addAll(each.map().contents()));
        List<JournalEntry.Source> sources = new ArrayList<>();
        for (long each : named) {
            sources.add(known(each).source());
        }
        return new JournalEntry.Spliced(
                path,
                file.id(),
                before.generation(),
                file.attributes(),
                file.extras().withLinks(0),
                splices,
                sources);
    }

    /** Returns the journal entry of the bytes of a file. */
    public JournalEntry.Mapped entry(FilePath path, Inode file, ReferenceMap map) throws IOException {
        return new JournalEntry.Mapped(
                path, file.id(), file.attributes(), file.extras().withLinks(0), map, sources(map));
    }

    /** Returns the names of the contents of a map in the journal. */
    List<JournalEntry.Source> sources(ReferenceMap map) throws IOException {
        return of(map).stream().map(Content::source).toList();
    }

    /** Notes that no file may have some bytes of a content any more. */
    public void lookAt(long content) {
        rows.put(Keys.numbered(Keys.TRIM, content), new byte[0]);
    }

    private void put(Content content) {
        rows.put(Keys.numbered(Keys.CONTENT, content.id()), content.encode());
    }

    @Override
    public void accept() {}

    @Override
    public void reject() {
        forget();
    }

    @Override
    public void written() {
        forget();
    }

    @Override
    public void abandon() {
        forget();
    }
}
