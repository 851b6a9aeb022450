// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.desktop;

import io.packing.sim.device.Device;

/**
 * The local stack of a desktop, and variants of it.
 *
 * @param device below the page cache
 * @param cachePages pages that the cache holds
 * @param pageBytes of one
 * @param callNanos time of a call besides its waits
 * @param fsync work of a call that forces a file
 * @param rename work of a rename
 * @param prefetch bytes that the first read of an open file fetches
 * @param packing limit, blobs and price of packing
 */
public record DesktopOptions(
        Device device,
        int cachePages,
        int pageBytes,
        long callNanos,
        Fsync fsync,
        Rename rename,
        Prefetch prefetch,
        Packing packing) {
    public DesktopOptions {
        if (cachePages < 1 || pageBytes < 1 || callNanos < 0) {
            throw new IllegalArgumentException(
                    "a cache of %d pages of %d bytes, calls of %d ns".formatted(cachePages, pageBytes, callNanos));
        }
    }

    /** The work of a call that forces a file to the device. */
    public enum Fsync {
        /** Write the file's dirty pages and a block of the journal, and wait for both. */
        WAIT,
        /** Do nothing: dirty pages are written when they leave the cache, or at the end. */
        NONE
    }

    /** The work of a file's rename. */
    public enum Rename {
        /** Change names in memory. */
        FREE,
        /** Wait for a block of the journal. */
        JOURNAL,
        /** Force the file first, so that the new name never has old or missing bytes; then wait for the journal. */
        FLUSH
    }

    /** The bytes that a read fetches in advance. */
    public enum Prefetch {
        /** No bytes. */
        NONE,
        /** The whole file, on the first read of an open file. */
        FILE
    }

    /**
     * A packing layer above an object store.
     *
     * @param limit size in bytes up to which files are packed
     * @param blobBytes of a full blob
     * @param dollarsPerPut price of one request that stores an object
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
