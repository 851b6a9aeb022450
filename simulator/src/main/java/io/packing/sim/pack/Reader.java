// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A reader of files (§4.3): from the buffer of the owning worker, from a cache of blobs, or with a ranged GET. */
final class Reader {
    private final StackOptions config;
    private final EventQueue agenda;
    private final FileTable files;
    private final SimulatedBlobs blobs;
    private final StoreModel store;
    private final Link[] links;
    private final ReadCache[] caches;
    private final PackCounters counters;
    /** The extents of more than a page that a worker has checked: a later read needs the pages of its part only. */
    private final Set<ReadExtent> checked = new HashSet<>();

    private record ReadExtent(int worker, int file, long number) {}

    /** The end of the last read of each object that is read as a stream. */
    private final Map<Integer, Long> streams = new HashMap<>();

    Reader(
            StackOptions config,
            EventQueue agenda,
            FileTable files,
            SimulatedBlobs blobs,
            StoreModel store,
            Link[] links,
            PackCounters counters) {
        this.config = config;
        this.agenda = agenda;
        this.files = files;
        this.blobs = blobs;
        this.store = store;
        this.links = links;
        this.counters = counters;
        this.caches = new ReadCache[links.length];
        for (int i = 0; i < caches.length; i++) {
            caches[i] = new ReadCache(
                    config.packing().readCacheBytes(), config.packing().readWindowBytes());
        }
    }

    /** Reads a range of a file through a worker; then runs {@code then}. */
    void read(int worker, int file, long offset, long length, Runnable then) {
        long began = agenda.now();
        counters.reads++;
        counters.readBytes += length;
        Runnable answered = () -> answer(began, then);
        if (length == 0) {
            answered.run();
        } else if (!files.durable(file)) {
            fromBuffer(worker, file, length, answered);
        } else if (config.packed()) {
            fromBlobs(worker, file, offset, length, answered);
        } else {
            fromObject(worker, file, offset, length, answered);
        }
    }

    private void answer(long began, Runnable then) {
        long own = config.workers().readNanos();
        Runnable answered = () -> {
            counters.read(agenda.now() - began);
            then.run();
        };
        // An event of its own would change the order of those at the same time.
        if (own == 0) {
            answered.run();
        } else {
            agenda.after(own, answered);
        }
    }

    /** Reads bytes of a file that the trace did not create, from the store. */
    void readElsewhere(int worker, long length, Runnable then) {
        long began = agenda.now();
        counters.reads++;
        counters.strangeReads++;
        counters.readBytes += length;
        counters.bytesFromElsewhere += length;
        get(worker, length, () -> answer(began, then));
    }

    private void fromBuffer(int worker, int file, long length, Runnable then) {
        counters.bytesFromBuffers += length;
        long nanos = Math.round(length / config.workers().diskBytes() * 1e9);
        agenda.after(nanos + (files.owner(file) == worker ? 0 : config.workers().peerNanos()), then);
    }

    private void fromBlobs(int worker, int file, long offset, long length, Runnable then) {
        // A large file is cut into several blobs; all others have one extent.
        long cut = config.packing().blobBytes();
        boolean large = files.size(file) >= config.packing().spillBytes();
        int blob = files.blob(file) + (large ? (int) (offset / cut) : 0);
        long from = files.offset(file) + (large ? offset % cut : offset);
        long inBlob = large ? Math.min(length, cut - offset % cut) : length;
        long extent = config.packing().extentBytes();
        long part = extent == 0 ? inBlob : Math.min(inBlob, extent - offset % extent);
        Runnable rest = part == length ? then : () -> fromBlobs(worker, file, offset + part, length - part, then);
        long before = extent == 0 ? 0 : offset % extent;
        long whole = extent == 0 ? part : Math.min(extent, files.size(file) - offset + before);
        boolean isWhole = extent > 0
                && (whole <= ReadCache.PAGE_BYTES || checked.add(new ReadExtent(worker, file, offset / extent)));
        long missing = isWhole
                ? caches[worker].missing(blob, from - before, whole, blobs.body(blob))
                : caches[worker].missing(blob, from, part, blobs.body(blob));
        if (missing == 0) {
            counters.bytesFromCaches += part;
            agenda.after(0, rest);
        } else {
            counters.bytesFromStore += part;
            get(worker, missing, rest);
        }
    }

    /** Reads an object as a stream: a read that continues the last one needs no GET. */
    private void fromObject(int worker, int file, long offset, long length, Runnable then) {
        counters.bytesFromStore += length;
        Long last = streams.put(file, offset + length);
        if (last != null && last == offset && offset > 0) {
            agenda.at(links[worker].transfer(agenda.now(), length), then);
        } else {
            get(worker, length, then);
        }
    }

    private void get(int worker, long length, Runnable then) {
        counters.readGets++;
        store.request(SimulatedRequestKind.GET, length, links[worker], then);
    }
}
