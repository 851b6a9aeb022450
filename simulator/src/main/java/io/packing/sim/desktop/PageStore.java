// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.desktop;

import io.packing.cache.BlockCache;
import io.packing.cache.CachePolicy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A page cache with write-back above one device, in virtual time. A caller passes the time, and receives the time at
 * which it may go on. The device serves one transfer after the other. Confined to one thread.
 */
final class PageStore {
    private static final int PAGE_BITS = 28;
    private static final long PAGE_MASK = (1L << PAGE_BITS) - 1;
    private static final int JOURNAL = 0;

    private final DesktopOptions config;
    private final BlockCache cache;
    private final Map<Integer, TreeSet<Long>> dirty = new HashMap<>();
    /** The pages that were prefetched and not read since. */
    private final Set<Long> ahead = new HashSet<>();
    /** The dirty pages that left the cache during a call; they are written at its end. */
    private final TreeMap<Long, Boolean> leaving = new TreeMap<>();

    private long free;
    private long journal;
    private long readPages;
    private long writtenPages;
    private long hitPages;
    private long missedPages;
    private long prefetchedPages;
    private long usedPages;

    PageStore(DesktopOptions config) {
        this.config = config;
        this.cache = CachePolicy.LRU.make(config.cachePages(), this::left);
    }

    private static long key(int file, long page) {
        return (long) file << PAGE_BITS | page;
    }

    private void left(long key) {
        ahead.remove(key);
        TreeSet<Long> pages = dirty.get((int) (key >>> PAGE_BITS));
        if (pages != null && pages.remove(key & PAGE_MASK)) {
            leaving.put(key, true);
        }
    }

    /** Reads a range; returns the time of its end. */
    long read(long now, int file, long offset, long length) {
        return length <= 0 ? now : fetch(now, file, offset, length, false);
    }

    /** Reads the beginning of a file in advance; returns the time of its end. */
    long prefetch(long now, int file, long length) {
        return length <= 0 ? now : fetch(now, file, 0, length, true);
    }

    private long fetch(long now, int file, long offset, long length, boolean early) {
        long last = (offset + length - 1) / config.pageBytes();
        long done = now;
        long run = -1;
        for (long page = offset / config.pageBytes(); page <= last + 1; page++) {
            boolean miss = page <= last && !cache.request(key(file, page));
            if (page <= last) {
                count(key(file, page), miss, early);
            }
            if (miss && run < 0) {
                run = page;
            } else if (!miss && run >= 0) {
                done = transfer(now, file, run, page, false);
                readPages += page - run;
                run = -1;
            }
        }
        writeLeft(now);
        return done;
    }

    private void count(long key, boolean miss, boolean early) {
        if (early) {
            if (miss) {
                prefetchedPages++;
                ahead.add(key);
            }
            return;
        }
        hitPages += miss ? 0 : 1;
        missedPages += miss ? 1 : 0;
        usedPages += ahead.remove(key) ? 1 : 0;
    }

    /** Takes written bytes into the cache. */
    void write(long now, int file, long offset, long length) {
        if (length <= 0) {
            return;
        }
        TreeSet<Long> pages = dirty.computeIfAbsent(file, number -> new TreeSet<>());
        long last = (offset + length - 1) / config.pageBytes();
        for (long page = offset / config.pageBytes(); page <= last; page++) {
            cache.request(key(file, page));
            pages.add(page);
        }
        writeLeft(now);
    }

    /** Writes the dirty pages of a file; returns the time at which the device has them. */
    long force(long now, int file) {
        NavigableSet<Long> pages = dirty.remove(file);
        return pages == null ? now : writeRuns(now, file, pages);
    }

    private long writeRuns(long now, int file, NavigableSet<Long> pages) {
        long done = now;
        long from = -1;
        long next = -1;
        for (long page : pages) {
            if (page != next) {
                if (from >= 0) {
                    done = written(now, file, from, next);
                }
                from = page;
            }
            next = page + 1;
        }
        return from < 0 ? done : written(now, file, from, next);
    }

    private long written(long now, int file, long from, long to) {
        writtenPages += to - from;
        return transfer(now, file, from, to, true);
    }

    /** Writes all dirty pages; returns the time at which the device has them. */
    long forceAll(long now) {
        long done = now;
        for (int file : dirty.keySet().stream().sorted().toList()) {
            done = Math.max(done, force(now, file));
        }
        return done;
    }

    /** Writes a block of the journal; returns the time at which the device has it. */
    long commit(long now) {
        journal++;
        return transfer(now, JOURNAL, journal, journal + 1, true);
    }

    private void writeLeft(long now) {
        for (long key : leaving.keySet()) {
            written(now, (int) (key >>> PAGE_BITS), key & PAGE_MASK, (key & PAGE_MASK) + 1);
        }
        leaving.clear();
    }

    private long transfer(long now, int file, long from, long to, boolean write) {
        long start = Math.max(now, free);
        long bytes = (to - from) * config.pageBytes();
        free = start + config.device().occupy(file, from * config.pageBytes(), bytes, write);
        return free + config.device().delay(write);
    }

    /** Removes a deleted file: its dirty pages are never written. */
    void forget(int file, long length) {
        dirty.remove(file);
        for (long page = (length + config.pageBytes() - 1) / config.pageBytes() - 1; page >= 0; page--) {
            ahead.remove(key(file, page));
            cache.remove(key(file, page));
        }
    }

    long readBytes() {
        return readPages * config.pageBytes();
    }

    long writtenBytes() {
        return (writtenPages + journal) * config.pageBytes();
    }

    /** Returns the share of read pages that the cache had; NaN without reads. */
    double hitRate() {
        return hitPages + missedPages == 0 ? Double.NaN : hitPages / (double) (hitPages + missedPages);
    }

    long prefetchedBytes() {
        return prefetchedPages * config.pageBytes();
    }

    long usedBytes() {
        return usedPages * config.pageBytes();
    }
}
