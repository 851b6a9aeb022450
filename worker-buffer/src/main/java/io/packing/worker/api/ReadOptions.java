// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;

/**
 * The way of reads to bytes in blobs, and the pages of blobs that a process keeps for them.
 *
 * @param cacheBytes memory for fetched windows
 * @param diskBytes disk for fetched pages; 0: none
 * @param diskDirectory of these pages
 * @param through the way of a client to the bytes in blobs
 * @param windowMaxBytes most bytes fetched with one request
 */
public record ReadOptions(long cacheBytes, long diskBytes, String diskDirectory, ReadPath through, int windowMaxBytes) {
    public static final Option<Long> CACHE_BYTES = new Option<>(
            "packing.read.cache.bytes",
            "128MB",
            "Memory for pages of blobs.",
            Parsers.bytesBetween(1L << 20, 1L << 40));

    public static final Option<Long> DISK_BYTES = new Option<>(
            "packing.read.disk.bytes",
            "0",
            "Disk for pages of blobs, beside the memory and over restarts. 0: none; otherwise at least 16MB.",
            Parsers.bytesBetween(0, 1L << 50));

    public static final Option<String> DISK_DIRECTORY = new Option<>(
            "packing.read.disk.dir",
            "",
            "Directory of these pages, for this process alone; needed with packing.read.disk.bytes.",
            Parsers::text);

    public static final Option<ReadPath> THROUGH = new Option<>(
            "packing.read.through",
            "store",
            "The client's way to bytes in blobs: store; or workers, without credentials of the store, as with "
                    + "bdt.places=daemons.",
            Parsers.choice(ReadPath.class));

    public static final Option<Long> WINDOW_MAX_BYTES = new Option<>(
            "packing.read.window.max.bytes",
            "8MB",
            "The most bytes that a read ahead fetches with one request.",
            Parsers.bytesBetween(256L << 10, 256L << 20));

    private static final long LEAST_DISK_BYTES = 16L << 20;

    public ReadOptions {
        if (windowMaxBytes > cacheBytes) {
            throw new IllegalArgumentException("option %s: %d bytes do not fit in %s, %d bytes"
                    .formatted(WINDOW_MAX_BYTES.key(), windowMaxBytes, CACHE_BYTES.key(), cacheBytes));
        }
        if (diskBytes > 0 && diskBytes < LEAST_DISK_BYTES) {
            throw new IllegalArgumentException(
                    "option %s: %d bytes are too few, give it at least 16MB, or 0 to use no disk"
                            .formatted(DISK_BYTES.key(), diskBytes));
        }
        if (diskBytes > 0 && diskDirectory.isEmpty()) {
            throw new IllegalArgumentException("option %s: %s has to say where; no other process may use that directory"
                    .formatted(DISK_BYTES.key(), DISK_DIRECTORY.key()));
        }
    }

    static ReadOptions from(Options options) {
        return new ReadOptions(
                options.get(CACHE_BYTES),
                options.get(DISK_BYTES),
                options.get(DISK_DIRECTORY),
                options.get(THROUGH),
                options.get(WINDOW_MAX_BYTES).intValue());
    }
}
