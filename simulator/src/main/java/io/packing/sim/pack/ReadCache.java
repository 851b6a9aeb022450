// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.sim.tier.LruTier;
import java.util.HashMap;
import java.util.Map;

/**
 * A worker's cache of blobs in pages. A miss fetches the page. Each following miss in sequence fetches twice as many
 * pages with one request, up to the largest window.
 */
final class ReadCache {
    static final int PAGE_BYTES = 256 << 10;

    private final LruTier pages;
    private final int mostPages;
    private final Map<Integer, long[]> followed = new HashMap<>();

    ReadCache(long bytes, long windowBytes) {
        this.pages = new LruTier((int) Math.min(1 << 30, bytes / PAGE_BYTES));
        this.mostPages = (int) Math.max(1, Math.min(1 << 20, windowBytes / PAGE_BYTES));
    }

    /**
     * Looks for a range of a blob.
     *
     * @param end offset of the end of the blob's body
     * @return bytes to fetch with one request; 0 if the cache has the whole range
     */
    long missing(int blob, long offset, long length, long end) {
        long first = offset / PAGE_BYTES;
        long last = (offset + length - 1) / PAGE_BYTES;
        while (first <= last && pages.touch(key(blob, first))) {
            first++;
        }
        if (first > last) {
            return 0;
        }
        long count = Math.max(last - first + 1, window(blob, first));
        long ends = Math.min((end + PAGE_BYTES - 1) / PAGE_BYTES, first + count);
        for (long page = first; page < ends; page++) {
            pages.insert(key(blob, page), false);
        }
        return Math.min(end, ends * PAGE_BYTES) - first * PAGE_BYTES;
    }

    /**
     * Returns the pages to fetch at a miss. The state of the blob's reads is the next expected page, and the pages of
     * the last miss.
     */
    private long window(int blob, long missed) {
        long[] state = followed.computeIfAbsent(blob, key -> new long[] {-1, 1});
        boolean follows = state[0] >= 0 && missed >= state[0] && missed <= state[0] + state[1];
        state[1] = follows ? Math.min(mostPages, 2 * state[1]) : 1;
        state[0] = missed + state[1];
        return state[1];
    }

    private static long key(int blob, long page) {
        return ((long) blob << 32) | page;
    }
}
