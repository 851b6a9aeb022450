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
import io.packing.bdt.master.table.row.LoneVersion;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
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
    private final Past past;
    /** Contents that got a referrer of the past in this batch, which they still have. */
    private final Set<Long> held = new HashSet<>();

    /**
     * First keys at which a content can have a referrer, of contents that lost one in this batch. Each look begins there, and does not pass
     * the rows that were removed before.
     */
    private final Map<Long, byte[]> firstReferrers = new HashMap<>();

    private final ContentHeads heads = new ContentHeads(this::known);

    /** Inodes that went into the past in this batch, and the maps that the past has of them. */
    private final Map<Long, ReferenceMap> kept = new HashMap<>();

    /** The counts of contents that a mount keeps. */
    interface Accounts {
        /** A content is there from now on (1), or not any more (-1). */
        void count(Content content, int sign);
    }

    /** Knows whether the table has rows of the past. */
    interface Past {
        boolean isEmpty() throws IOException;
    }

    /** @param freed told of a content that nobody refers to any more */
    Contents(WriteSet rows, Accounts accounts, Consumer<Content> freed, Past past) {
        this.past = past;
        this.rows = rows;
        this.accounts = accounts;
        this.freed = freed;
    }

    public Optional<Content> get(long id) throws IOException {
        Optional<Content> own = Content.own(rows, id);
        return own.isPresent() || past.isEmpty() ? own : Content.alone(rows, id);
    }

    /** Gives a content a row; an inode must come to refer to it. */
    public void add(Content content) {
        put(content);
        accounts.count(content, 1);
    }

    /** Moves the bytes of a content to another place. */
    public void place(Content content, Inode.Place place) throws IOException {
        accounts.count(content, -1);
        heads.remove(content.id());
        Optional<LoneVersion> alone = alone(content.id());
        if (alone.isEmpty() || !(place instanceof Inode.Packed)) {
            makeOwn(alone);
            add(content.at(place));
        } else {
            new LoneVersion(alone.get().at(), alone.get().inode().at(place)).put(rows);
            accounts.count(content.at(place), 1);
        }
    }

    /** Returns the version of a row of the past that has its bytes alone; empty: there is none of this id. */
    private Optional<LoneVersion> alone(long id) throws IOException {
        return past.isEmpty() ? Optional.empty() : LoneVersion.find(rows, id);
    }

    /** Lets a row of the past have the bytes of a file alone that has left its place. */
    void holdAlone(LoneVersion version) {
        heads.remove(version.inode().id());
        version.put(rows);
        accounts.count(version.content(), 1);
    }

    /** Gives up the bytes that a row of the past had alone, unless another row has them by now. */
    void releaseAlone(LoneVersion version) throws IOException {
        Content content = version.content();
        heads.remove(content.id());
        accounts.count(content, -1);
        byte[] inode = Keys.numbered(Keys.INODE, content.id());
        boolean isLast = rows.get(inode)
                .flatMap(Referrer.At::ofInode)
                .filter(version.at()::equals)
                .isPresent();
        if (isLast) {
            rows.delete(inode);
            freed.accept(content);
        }
    }

    /** Gives a content a row of its own that only a row of the past has, because another inode comes to refer to it. */
    private void makeOwn(long content) throws IOException {
        makeOwn(alone(content));
    }

    private void makeOwn(Optional<LoneVersion> alone) {
        if (alone.isEmpty()) {
            return;
        }
        Inode inode = alone.get().inode();
        Referrer.At at = alone.get().at();
        Content content = alone.get().content();
        ReferenceMap map = ReferenceMap.whole(content.id(), content.length());
        rows.put(at.key(), inode.at(new Inode.Mapped(map)).encode());
        rows.delete(Keys.numbered(Keys.INODE, content.id()));
        put(content);
        refer(
                content.id(),
                Keys.pastReferrer(content.id(), inode.id(), at.position()),
                at.link().encode());
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
    void hold(ReferenceMap map, long inode, long position, EntryLink at) throws IOException {
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

    private void drop(long content, long inode, byte[] referrer) throws IOException {
        rows.delete(referrer);
        if (!freeIfLast(content, inode)) {
            lookAt(content);
        }
    }

    /** Frees a content that has no referrer any more; returns whether that is so. */
    boolean freeIfLast(long content, long inode) throws IOException {
        if (hasReferrer(content)) {
            return false;
        }
        Content gone = get(content)
                .orElseThrow(() -> new IOException(
                        "inode %d refers to content %d, which the table does not know".formatted(inode, content)));
        heads.remove(content);
        rows.delete(Keys.numbered(Keys.CONTENT, content));
        rows.delete(Keys.numbered(Keys.TRIM, content));
        accounts.count(gone, -1);
        freed.accept(gone);
        return true;
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

    void putReferrer(long content, byte[] key, byte[] value) throws IOException {
        makeOwn(content);
        refer(content, key, value);
    }

    /** As the other, of a content that has a row of its own. */
    void refer(long content, byte[] key, byte[] value) {
        rows.put(key, value);
        firstReferrers.computeIfPresent(content, (same, first) -> Arrays.compareUnsigned(key, first) < 0 ? key : first);
    }

    /** The batch ends, or mutations of it are taken back. */
    private void forget() {
        held.clear();
        kept.clear();
        firstReferrers.clear();
    }

    /** Mutations are taken back. */
    private void takeBack() {
        forget();
        heads.clear();
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
        return heads.of(map).stream().map(ContentHead::source).toList();
    }

    /** Returns whether bytes of a map are not as durable yet as their mount asks. */
    public boolean isUncommitted(ReferenceMap map) throws IOException {
        return heads.of(map).stream().anyMatch(ContentHead::isUncommitted);
    }

    /** Returns whether all contents of a map are in blobs. */
    boolean arePacked(ReferenceMap map) throws IOException {
        return heads.of(map).stream().allMatch(ContentHead::isPacked);
    }

    /** Notes that no file may have some bytes of a content any more. */
    public void lookAt(long content) {
        rows.put(Keys.numbered(Keys.TRIM, content), new byte[0]);
    }

    private void put(Content content) {
        heads.remove(content.id());
        rows.put(Keys.numbered(Keys.CONTENT, content.id()), content.encode());
    }

    @Override
    public void accept() {}

    @Override
    public void reject() {
        takeBack();
    }

    @Override
    public void written() {
        forget();
    }

    @Override
    public void abandon() {
        takeBack();
    }
}
