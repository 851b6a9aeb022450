package io.packing.sim.desktop;

import io.packing.sim.device.Device;

/**
 * The local stack of a desktop, and the what-ifs.
 *
 * @param device below the page cache
 * @param cachePages pages that the cache holds
 * @param pageBytes of one
 * @param callNanos of a call besides what it waits for
 * @param fsync what a call that forces waits for
 * @param rename what a rename waits for
 * @param prefetch what the first read of an open file brings
 * @param packing what becomes a part of a blob, and at what price
 */
public record DesktopConfig(
        Device device,
        int cachePages,
        int pageBytes,
        long callNanos,
        Fsync fsync,
        Rename rename,
        Prefetch prefetch,
        Packing packing) {
    public DesktopConfig {
        if (cachePages < 1 || pageBytes < 1 || callNanos < 0) {
            throw new IllegalArgumentException(
                    "a cache of %d pages of %d bytes, calls of %d ns".formatted(cachePages, pageBytes, callNanos));
        }
    }

    /** What a call that forces a file to the device does. */
    public enum Fsync {
        /** Writes the file's dirty pages and a block of the journal, and waits for both. */
        WAIT,
        /** Nothing: dirty pages are written when they leave the cache, or at the end. */
        NONE
    }

    /** What a rename of a file does. */
    public enum Rename {
        /** Changes names in memory. */
        FREE,
        /** Waits for a block of the journal. */
        JOURNAL,
        /** Forces the file first, so that the new name never has old or no bytes, then waits for the journal. */
        FLUSH
    }

    /** What is read besides what is asked for. */
    public enum Prefetch {
        /** Nothing. */
        NONE,
        /** The whole file, by the first read of an open file. */
        FILE
    }

    /**
     * A packing layer above an object store.
     *
     * @param limit files up to this size are packed
     * @param blobBytes of a full blob
     * @param dollarsPerPut of one request that stores an object
     */
    public record Packing(long limit, long blobBytes, double dollarsPerPut) {
        public Packing {
            if (limit < 0 || blobBytes < 1 || !(dollarsPerPut >= 0)) {
                throw new IllegalArgumentException("packing up to %d bytes into blobs of %d at %s dollars a PUT"
                        .formatted(limit, blobBytes, dollarsPerPut));
            }
        }
    }
}
