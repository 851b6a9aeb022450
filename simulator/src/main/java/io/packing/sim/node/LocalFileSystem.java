// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.node;

import io.packing.sim.Cause;
import io.packing.sim.Layer;
import io.packing.sim.LocalIo;
import io.packing.sim.device.DiskScheduler;
import io.packing.sim.tier.TieredCache;

/**
 * The file system of one disk (§3.2.2). It asks the caches page by page, and the disk for the runs of pages that they
 * miss. Writes go through to the disk in whole blocks, unless the flash buffers them.
 */
final class LocalFileSystem implements Layer {
    /** The ticket of a request for which no read waits. */
    static final int NO_TICKET = -1;

    private static final int PAGE_BITS = 28;
    private static final long MOST_DESTAGED = 1 << 20;

    private final NodeStoreOptions config;
    private final TieredCache cache;
    private final WriteBuffer buffer;
    private final DiskScheduler disk;
    private final PendingReads requests;
    private final NodeCounters counters;
    private final HitTimeline timeline;
    private final int pageBytes;

    LocalFileSystem(
            NodeStoreOptions config,
            TieredCache cache,
            WriteBuffer buffer,
            DiskScheduler disk,
            PendingReads requests,
            NodeCounters counters,
            HitTimeline timeline) {
        this.config = config;
        this.cache = cache;
        this.buffer = buffer;
        this.disk = disk;
        this.requests = requests;
        this.counters = counters;
        this.timeline = timeline;
        this.pageBytes = config.pageBytes();
    }

    static long key(int file, long page) {
        return ((long) file << PAGE_BITS) | page;
    }

    static int fileOf(long key) {
        return (int) (key >>> PAGE_BITS);
    }

    static long pageOf(long key) {
        return key & ((1L << PAGE_BITS) - 1);
    }

    @Override
    public void submit(LocalIo io) {
        switch (io.kind) {
            case READ -> read(io);
            case WRITE -> write(io);
            case DELETE -> delete(io);
        }
    }

    private void read(LocalIo io) {
        int cause = io.cause.index();
        long first = io.offset / pageBytes;
        long last = (io.offset + io.length - 1) / pageBytes;
        long end = io.offset + io.length;
        long fromFlash = 0;
        long missed = 0;
        long run = -1;
        int ticket = NO_TICKET;
        for (long page = first; page <= last; page++) {
            long bytes = Math.min(end, (page + 1) * pageBytes) - Math.max(io.offset, page * pageBytes);
            long key = key(io.file, page);
            TieredCache.Found found = cache.find(key);
            if (found == TieredCache.Found.NOWHERE) {
                missed += bytes;
                run = run < 0 ? page : run;
                cache.admit(key);
                continue;
            }
            fromFlash += found == TieredCache.Found.FLASH ? bytes : 0;
            if (run >= 0) {
                ticket = fetch(io, run, page, ticket);
                run = -1;
            }
        }
        if (run >= 0) {
            ticket = fetch(io, run, last + 1, ticket);
        }
        counters.reads[cause] += io.length;
        counters.readRequests[cause]++;
        counters.flashBytes += fromFlash;
        counters.missedBytes += missed;
        counters.ramBytes += io.length - fromFlash - missed;
        if (missed > 0) {
            counters.misses[cause]++;
        } else {
            counters.hits[cause]++;
            counters.ramHits[cause] += fromFlash == 0 ? 1 : 0;
            counters.answered[cause]++;
            counters.answerNanos[cause] += fromFlash == 0 ? config.ramNanos() : config.flashNanos();
        }
        timeline.read(io.time, missed == 0);
    }

    /**
     * Asks the disk for the pages from {@code run} to before {@code end}; all requests of a read come at one instant.
     */
    private int fetch(LocalIo io, long run, long end, int ticket) {
        int all = ticket == NO_TICKET ? requests.begin(io.time) : ticket;
        requests.expect(all);
        long bytes = (end - run) * pageBytes;
        counters.diskReads[io.cause.index()] += bytes;
        disk.submit(io.time, io.file, run * pageBytes, bytes, false, io.cause, all);
        return all;
    }

    private void write(LocalIo io) {
        counters.writes[io.cause.index()] += io.length;
        counters.writeRequests[io.cause.index()]++;
        long first = io.offset / pageBytes;
        long last = (io.offset + io.length - 1) / pageBytes;
        if (buffer.takes(io.file, io.cause, io.offset + io.length)) {
            counters.bufferedBytes += io.length;
            for (long page = first; page <= last; page++) {
                cache.buffer(key(io.file, page));
            }
            return;
        }
        long held = buffer.spill(io.file);
        if (held > 0) {
            // The file has outgrown the buffer's threshold: its buffered bytes go first.
            spill(io, (held + pageBytes - 1) / pageBytes);
        }
        counters.writtenThrough += io.length;
        boolean caches = config.caches(io.hinted);
        for (long page = first; page <= last; page++) {
            if (caches) {
                cache.admit(key(io.file, page));
            } else {
                cache.written(key(io.file, page));
            }
        }
        counters.cachedWrites += caches ? io.length : 0;
        toDisk(io.time, io.file, io.offset, io.length, io.cause);
    }

    /** Writes the dirty pages among the first {@code pages}; some may have left the flash before. */
    private void spill(LocalIo io, long pages) {
        long run = -1;
        for (long page = 0; page <= pages; page++) {
            boolean dirty = page < pages && cache.buffers(key(io.file, page));
            if (dirty && run < 0) {
                run = page;
            } else if (!dirty && run >= 0) {
                flush(io.time, io.file, run, page, io.cause);
                run = -1;
            }
        }
    }

    /** Rounds a write out to whole blocks, and submits it to the disk. */
    private void toDisk(long time, int file, long offset, long length, Cause cause) {
        int block = config.blockBytes();
        long from = offset / block * block;
        long to = (offset + length + block - 1) / block * block;
        counters.diskWrites[cause.index()] += to - from;
        disk.submit(time, file, from, to - from, true, cause, NO_TICKET);
    }

    private void delete(LocalIo io) {
        buffer.forget(io.file);
        for (long page = (io.offset + io.length + pageBytes - 1) / pageBytes - 1; page >= 0; page--) {
            cache.forget(key(io.file, page));
        }
    }

    /** Writes a dirty page that leaves the flash, together with its dirty neighbours, which stay as clean pages. */
    void destage(long time, int file, long page, Cause cause) {
        long most = Math.max(1, MOST_DESTAGED / pageBytes);
        long from = page;
        while (from > 0 && page - from < most && cache.buffers(key(file, from - 1))) {
            from--;
        }
        long to = page + 1;
        while (to - from < most && cache.buffers(key(file, to))) {
            to++;
        }
        flush(time, file, from, to, cause);
    }

    private void flush(long time, int file, long from, long to, Cause cause) {
        for (long page = from; page < to; page++) {
            cache.clean(key(file, page));
        }
        counters.destagedBytes += (to - from) * pageBytes;
        toDisk(time, file, from * pageBytes, (to - from) * pageBytes, cause);
    }
}
