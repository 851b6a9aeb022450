// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.Codec;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveExtent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Dead bytes in extents of which some bytes live. The accounts of blobs know whole extents only. Passes over the contents that files share
 * count such bytes; all other extents are live or dead in whole. The counts are hints: a restart counts anew. Confined to the upkeep thread.
 */
final class DeadRanges {
    /** Contents whose referrers one step reads. */
    private static final int CONTENTS_PER_STEP = 1_000;

    private static final int ROWS_PER_STEP = 50_000;

    private final Table table;
    private final long leastCut;
    private Map<Long, Long> counted = Map.of();
    private Map<Long, Long> counting = new HashMap<>();
    private long next;
    private boolean passing;

    /** @param leastCut the fewest dead bytes of an extent that are worth a cut */
    DeadRanges(Table table, long leastCut) {
        this.table = table;
        this.leastCut = leastCut;
    }

    /** Returns the dead bytes in live extents of a blob, as of the last pass. */
    long of(long blob) {
        return counted.getOrDefault(blob, 0L);
    }

    /** Begins a pass. One that is under way goes on. */
    void begin() {
        passing = true;
    }

    /** Looks at some contents of a pass; returns true if others are left. */
    boolean step() throws IOException {
        if (!passing) {
            return false;
        }
        List<Content> some = new ArrayList<>();
        int[] passed = new int[1];
        table.rows().scan(Keys.numbered(Keys.CONTENT, next), Keys.kindEnd(Keys.CONTENT), (key, value) -> {
            Content content = Content.decode(Keys.number(key), value);
            next = content.id() + 1;
            if (mayBeCut(content)) {
                some.add(content);
            }
            return ++passed[0] < ROWS_PER_STEP && some.size() < CONTENTS_PER_STEP;
        });
        count(some);
        passing = passed[0] == ROWS_PER_STEP || some.size() == CONTENTS_PER_STEP;
        if (!passing) {
            counted = Map.copyOf(counting);
            counting = new HashMap<>();
            next = 0;
        }
        return passing;
    }

    private boolean mayBeCut(Content content) {
        return content.length() > leastCut
                && content.place() instanceof Inode.Packed packed
                && packed.extents().stream()
                        .anyMatch(each -> each.extent().length() > leastCut
                                && each.extent().codec() != Codec.ADOPTED);
    }

    private void count(List<Content> contents) throws IOException {
        List<FileVersion> versions = contents.stream().map(Content::version).toList();
        List<Optional<ImmutableRangeSet<Long>>> used = table.contents().used(versions);
        for (int i = 0; i < contents.size(); i++) {
            if (used.get(i).isPresent() && contents.get(i).place() instanceof Inode.Packed packed) {
                List<LiveExtent.Range> ranges = ranges(used.get(i).get());
                for (Inode.StoredExtent each : packed.extents()) {
                    LiveExtent live = LiveExtent.of(each.extent(), ranges, leastCut);
                    if (live.isCut()) {
                        long dead = each.extent().storedLength() - live.storedBytes();
                        long unused = counting.merge(each.blob(), dead, Long::sum);
                    }
                }
            }
        }
    }

    /** Returns ranges of used bytes in the form of blobs. */
    static List<LiveExtent.Range> ranges(ImmutableRangeSet<Long> used) {
        List<LiveExtent.Range> ranges = new ArrayList<>();
        for (Range<Long> each : used.asRanges()) {
            ranges.add(new LiveExtent.Range(each.lowerEndpoint(), each.upperEndpoint()));
        }
        return ranges;
    }
}
