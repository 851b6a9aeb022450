// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.options.PriceTable;

/**
 * The parameters of the packing layer as a simulated stack. Sizes are bytes, times nanoseconds, rates per second.
 *
 * @param packed whether files are packed; otherwise each is an object of its own, and closed when the store has it
 * @param ingest files that clients write; unused if a trace is replayed
 * @param replay whether a trace is replayed
 * @param seed of all randomness
 */
record StackOptions(
        boolean packed, boolean replay, Ingest ingest, Workers workers, Packing packing, Store store, long seed) {
    private static final long MOST_FILES = 100_000_000;

    /** The order in which clients read their files again. */
    enum ReadBack {
        NONE,
        /** Each client reads its files in the order of its writes. */
        SEQUENTIAL,
        /** Each client reads as many files as it wrote, drawn from all files. */
        RANDOM
    }

    /** The rule by which files share a blob; ties keep the order of arrival. */
    enum Policy {
        FIFO,
        DIRECTORY,
        SIZE
    }

    /**
     * The clients that write one file after the other (§8).
     *
     * @param fileNanos a client's time for a file besides its waits for the store
     */
    record Ingest(
            int clients, int filesPerClient, int sizeBytes, int filesPerDirectory, long fileNanos, ReadBack readBack) {
        Ingest {
            require(clients >= 1, "ingest.clients: 1 at least");
            require(filesPerClient >= 1, "ingest.files-per-client: 1 at least");
            require(
                    (long) clients * filesPerClient <= MOST_FILES,
                    "ingest: %,d files do not fit into memory, %,d do; packing estimate computes any number"
                            .formatted((long) clients * filesPerClient, MOST_FILES));
            require(sizeBytes >= 0, "ingest.file-size: not below 0");
            require(filesPerDirectory >= 1, "ingest.files-per-directory: 1 at least");
            require(fileNanos >= 0, "ingest.file-time: not below 0");
        }

        int files() {
            return clients * filesPerClient;
        }
    }

    /**
     * @param rate files a second of one worker
     * @param linkBytes of its link to the store, each way
     * @param diskBytes that it copies a second
     * @param peerNanos of a read from another worker's buffer
     * @param readNanos of a read besides its waits for disks, workers and the store
     */
    record Workers(int count, double rate, double linkBytes, double diskBytes, long peerNanos, long readNanos) {
        Workers {
            require(count >= 1 && count <= 100_000, "workers.count: from 1 to 100,000");
            require(rate > 0, "workers.rate: above 0");
            require(linkBytes > 0 && diskBytes > 0, "workers.link and workers.disk: above 0");
            require(peerNanos >= 0 && readNanos >= 0, "workers.peer-latency and workers.read-time: not below 0");
        }
    }

    /**
     * @param pushAheadNanos the push of a blob that is full within this time begins while it fills; 0: when it is full
     * @param pushes of a worker at one time
     * @param spillBytes size from which files become blobs of their own
     * @param extentBytes that the first read of a part of them fetches and checks; 0: reads fetch pages only
     */
    record Packing(
            Policy policy,
            long blobBytes,
            long sealAfterNanos,
            long sealQuietNanos,
            double sealBudget,
            long pushAheadNanos,
            int pushes,
            long bufferBytes,
            long spillBytes,
            long readCacheBytes,
            long readWindowBytes,
            long extentBytes,
            long backupNanos,
            long backupChanges,
            double tableBytesPerFile) {
        Packing {
            require(
                    blobBytes >= 1 && blobBytes <= 5L << 30,
                    "packing.blob: from 1 byte to 5 GiB, the limit of one PUT");
            require(sealAfterNanos >= 1, "packing.seal-after: above 0");
            require(sealQuietNanos >= 0, "packing.seal-quiet: not below 0");
            require(sealBudget >= 0, "packing.seal-budget: dollars a day, not below 0");
            require(pushAheadNanos >= 0, "packing.push-ahead: not below 0");
            require(pushes >= 1, "packing.pushes: 1 at least");
            require(bufferBytes >= 2 * spillBytes, "packing.buffer: at least twice packing.spill");
            require(spillBytes >= 1, "packing.spill: 1 byte at least");
            require(readCacheBytes >= 0, "packing.read-cache: not below 0");
            require(
                    readWindowBytes >= ReadCache.PAGE_BYTES,
                    "packing.read-window: a page of %,d bytes at least".formatted(ReadCache.PAGE_BYTES));
            require(extentBytes >= 0, "packing.extent: not below 0");
            require(backupNanos >= 1 && backupChanges >= 1, "packing.backup-interval and -changes: above 0");
            require(tableBytesPerFile >= 0, "packing.table-file: not below 0");
        }
    }

    /**
     * @param latencySpread share by which a latency differs at most from its mean; evenly distributed
     * @param connectionBytes of one connection, each way
     * @param listsPerCreate LISTs before the PUT of a file that is an object of its own
     */
    record Store(
            PriceTable prices,
            long putNanos,
            long getNanos,
            double latencySpread,
            double connectionBytes,
            double putsPerSecond,
            double getsPerSecond,
            long backoffNanos,
            long backoffMaxNanos,
            int listsPerCreate) {
        Store {
            require(putNanos >= 0 && getNanos >= 0, "store.put-latency and store.get-latency: not below 0");
            require(latencySpread >= 0 && latencySpread <= 1, "store.latency-spread: from 0 to 1");
            require(connectionBytes > 0, "store.connection: above 0");
            require(putsPerSecond > 0 && getsPerSecond > 0, "store.puts-per-second, gets-per-second: above 0");
            require(
                    backoffNanos >= 1 && backoffMaxNanos >= backoffNanos,
                    "store.backoff and store.backoff-max: above 0, and backoff at most backoff-max");
            require(listsPerCreate >= 0, "store.lists-per-create: not below 0");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
