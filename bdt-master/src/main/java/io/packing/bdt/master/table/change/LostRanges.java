// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.MapForm;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bytes of contents that fragmented files gave up lately. A look for unused extents reads all referrers of a content, so it waits until
 * it pays. A restart begins the counts anew: the next look finds all that is unused. Confined to the writer thread.
 */
final class LostRanges {
    /** Contents beyond these are counted anew. */
    private static final int MOST_COUNTED = 10_000;

    private final MapForm form;
    private final Map<Long, Lost> counted = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Lost> eldest) {
            return size() > MOST_COUNTED;
        }
    };

    /** @param until bytes at which the content is looked at; the least there are, until its length is known */
    private record Lost(long bytes, long until) {}

    /** Tells the length of a content. */
    interface Lengths {
        long of(long content) throws IOException;
    }

    LostRanges(MapForm form) {
        this.form = form;
    }

    /** Counts bytes that a file gave up; returns whether the content is due for a look. */
    boolean isDue(long content, long bytes, Lengths lengths) throws IOException {
        Lost before = counted.getOrDefault(content, new Lost(0, form.lostBytes()));
        Lost now = new Lost(before.bytes() + bytes, before.until());
        if (now.bytes() >= now.until()) {
            now = new Lost(now.bytes(), form.lostBytesOf(lengths.of(content)));
        }
        boolean due = now.bytes() >= now.until();
        counted.put(content, due ? new Lost(0, now.until()) : now);
        return due;
    }
}
