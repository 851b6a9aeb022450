// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.node;

import io.packing.sim.BrokenInvariantException;
import io.packing.sim.Cause;
import io.packing.sim.Layer;
import io.packing.sim.LocalIo;
import io.packing.sim.device.DiskScheduler;
import io.packing.sim.tier.Tier;
import io.packing.sim.tier.TieredCache;
import java.util.Arrays;

/**
 * A node's local store (§3.2.2). The balancer gives each new local file to the next disk in turn, and all operations on
 * the file go there.
 *
 * <p>With combined logging (§3.5.3) all logs become one file on the first disk, which gets no other file.
 */
public final class DataNode implements Layer {
    private static final int UNPLACED = -1;
    /** The number of the physical log; numbers of local files begin at 0, far below. */
    private static final int LOG_FILE = (1 << 30) - 1;

    private final NodeStoreOptions config;
    private final NodeCounters counters = new NodeCounters();
    private final PendingReads requests = new PendingReads();
    private final HitTimeline timeline;
    private final WriteBuffer buffer;
    private final TieredCache cache;
    private final DiskScheduler[] schedulers;
    private final LocalFileSystem[] disks;
    private final long crashAt;
    private boolean crashed;
    private int[] places = {};
    private int turn;
    private long logEnd;
    private long now;

    /** @param crashAt time of the loss of RAM; {@link Long#MAX_VALUE} for never */
    public DataNode(NodeStoreOptions config, long crashAt) {
        this.config = config;
        this.crashAt = crashAt;
        this.timeline = new HitTimeline(config.stretchNanos());
        this.buffer = new WriteBuffer(config.bufferThreshold(), config.buffered());
        this.cache = new TieredCache(
                Tier.of(config.ramPolicy(), config.ramPages()),
                Tier.of(config.flashPolicy(), config.flashPages()),
                config.flashHit(),
                this::destage);
        this.schedulers = new DiskScheduler[config.disks()];
        this.disks = new LocalFileSystem[config.disks()];
        for (int i = 0; i < disks.length; i++) {
            schedulers[i] = new DiskScheduler(
                    config.device().make(),
                    config.sliceBytes(),
                    config.blockBytes(),
                    config.queueLimit(),
                    this::completed);
            disks[i] = new LocalFileSystem(config, cache, buffer, schedulers[i], requests, counters, timeline);
        }
    }

    @Override
    public void submit(LocalIo io) {
        if (io.time < now) {
            throw new BrokenInvariantException("virtual time goes back from %d to %d ns".formatted(now, io.time));
        }
        now = io.time;
        if (!crashed && now >= crashAt) {
            crashed = true;
            cache.crash();
        }
        if (config.combinedLogging() && io.cause == Cause.LOG && io.kind == LocalIo.Kind.WRITE) {
            io.file = LOG_FILE;
            io.offset = logEnd;
            logEnd += io.length;
            disks[0].submit(io);
            return;
        }
        int place = place(io.file);
        if (io.kind == LocalIo.Kind.DELETE) {
            places[io.file] = UNPLACED;
        }
        disks[place].submit(io);
    }

    private int place(int file) {
        if (file >= places.length) {
            int size = places.length;
            places = Arrays.copyOf(places, Math.max(file + 1, size * 2 + 64));
            Arrays.fill(places, size, places.length, UNPLACED);
        }
        if (places[file] == UNPLACED) {
            int first = config.combinedLogging() ? 1 : 0;
            places[file] = first + turn;
            turn = (turn + 1) % (disks.length - first);
        }
        return places[file];
    }

    private void destage(long key) {
        int file = LocalFileSystem.fileOf(key);
        disks[place(file)].destage(now, file, LocalFileSystem.pageOf(key), buffer.writer(file));
    }

    private void completed(
            int ticket, Cause cause, boolean write, long blocks, long blockNanos, long arrived, long ended, long busy) {
        int at = cause.index();
        counters.diskRequests[at] += blocks;
        counters.diskNanos[at] += blockNanos;
        counters.diskBusyNanos[at] += busy;
        if (write) {
            counters.diskWriteRequests[at] += blocks;
            counters.diskWriteNanos[at] += blockNanos;
            return;
        }
        counters.diskReadRequests[at] += blocks;
        counters.diskReadNanos[at] += blockNanos;
        if (requests.partDone(ticket, ended)) {
            counters.answered[at]++;
            counters.answerNanos[at] += requests.end(ticket) - arrived;
        }
    }

    /** Counts bytes that came over the network for this node to store. */
    public void received(long bytes) {
        counters.networkBytes += bytes;
    }

    /** Lets all disks finish, and checks that all sums agree. */
    public void finish() {
        for (DiskScheduler scheduler : schedulers) {
            scheduler.drain();
        }
        check();
        BrokenInvariantException.same(
                "reads and answers", NodeCounters.total(counters.readRequests), NodeCounters.total(counters.answered));
        BrokenInvariantException.same("reads that still wait", 0, requests.open());
    }

    /** Requires that bytes and requests add up so far. */
    public void check() {
        counters.check();
        if (cache.pages() > config.ramPages() + (long) config.flashPages()) {
            throw new BrokenInvariantException("the caches hold more than fits: " + cache.pages() + " pages");
        }
    }

    public NodeCounters counters() {
        return counters;
    }

    public HitTimeline timeline() {
        return timeline;
    }

    /** Returns the bytes written to flash: its wear. */
    public long flashBytesWritten() {
        return cache.flashPagesWritten() * config.pageBytes();
    }

    /** Returns the length of the longest queue of any disk so far. */
    public int longestQueue() {
        return Arrays.stream(schedulers)
                .mapToInt(DiskScheduler::longestQueue)
                .max()
                .orElse(0);
    }

    /** Returns the nanoseconds of work of all disks together. */
    public long busyNanos() {
        return Arrays.stream(schedulers).mapToLong(DiskScheduler::busyNanos).sum();
    }
}
