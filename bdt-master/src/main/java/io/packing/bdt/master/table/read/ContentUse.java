// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.Range;
import com.google.common.collect.TreeRangeSet;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The bytes of contents that files, snapshots and layers of maps have. It remembers the maps that it has read. Confined to one thread. */
public final class ContentUse {
    /** A content that more referrers have parts of counts as used in whole. */
    public static final int MOST_REFERRERS = 10_000;

    private final Rows rows;
    private final Namespace namespace;
    /** The ranges of each content that inodes have, by those that were read. */
    private final Map<Referrer, ImmutableSetMultimap<Long, Range<Long>>> maps = new HashMap<>();

    private int looked;

    public ContentUse(Rows rows, Namespace namespace) {
        this.rows = rows;
        this.namespace = namespace;
    }

    /** Returns the number of referrers, and references of their maps, that were looked at. */
    public int looked() {
        return looked;
    }

    /** Finds the used ranges of a version; empty: all of it counts as used. */
    public Optional<ImmutableRangeSet<Long>> of(FileVersion version) throws IOException {
        // A row of the past that has a content alone needs all of its bytes, and so does a file that shares none.
        boolean isShared = Content.own(rows, version.id())
                .filter(content -> content.generation() == version.generation())
                .isPresent();
        List<Referrer> referrers = isShared ? referrers(version.id()) : List.of();
        if (referrers.isEmpty() || referrers.size() == MOST_REFERRERS) {
            return Optional.empty();
        }
        TreeRangeSet<Long> used = TreeRangeSet.create();
        for (Referrer each : referrers) {
            used.addAll(ranges(version.id(), each));
        }
        return Optional.of(ImmutableRangeSet.copyOf(used));
    }

    /** Returns the first referrers of a content, {@link #MOST_REFERRERS} at most. */
    public List<Referrer> referrers(long content) throws IOException {
        List<Referrer> referrers = Referrer.all(rows, content, MOST_REFERRERS);
        looked += referrers.size();
        return referrers;
    }

    /** Returns the ranges of a content that a referrer has. */
    public Set<Range<Long>> ranges(long content, Referrer referrer) throws IOException {
        if (referrer.part().isPresent()) {
            Referrer.Part part = referrer.part().get();
            return Set.of(Range.closedOpen(part.offset(), part.end()));
        }
        ImmutableSetMultimap<Long, Range<Long>> known = maps.get(referrer);
        if (known == null) {
            Inode inode = inode(referrer)
                    .orElseThrow(() -> new IOException(
                            "%s has bytes of content %d, but is not there".formatted(referrer, content)));
            known = inode.place() instanceof Inode.Mapped mapped ? mapped.map().ranges() : ImmutableSetMultimap.of();
            looked += known.size();
            maps.put(referrer, known);
        }
        return known.get(content);
    }

    private Optional<Inode> inode(Referrer referrer) throws IOException {
        if (referrer.past().isEmpty()) {
            return namespace.linked(referrer.inode()).map(Namespace.Entry::inode);
        }
        Referrer.At at = referrer.past().get();
        return rows.get(Keys.past(at.link(), at.position())).map(Inode::decode);
    }
}
