// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.node;

import io.packing.cache.CachePolicy;
import io.packing.sim.Cause;
import io.packing.sim.tier.Tier;
import io.packing.sim.tier.TieredCache;
import java.util.Set;

/**
 * The local store of a node (§3.2.2, Table 3.3). Sizes are bytes, times nanoseconds.
 *
 * @param ramBytes the file-system cache
 * @param ramPolicy policy that evicts its pages; {@code flashPolicy} likewise
 * @param flashBytes the flash tier, cache and buffer together
 * @param pageBytes unit of the caches
 * @param blockBytes unit of disk writes
 * @param bufferThreshold size below which files wait in flash before they are written to disk (§3.4.3); 0: no buffer
 * @param buffered causes whose files wait so
 * @param sliceBytes bytes that a disk serves of a file before the next file's turn
 * @param queueLimit requests that may wait for one disk
 * @param stretchNanos length of the stretches of the timeline
 * @param combinedLogging whether all logs go to one file on a disk of their own (§3.5.3)
 */
public record NodeStoreOptions(
        long ramBytes,
        CachePolicy ramPolicy,
        long ramNanos,
        long flashBytes,
        CachePolicy flashPolicy,
        long flashNanos,
        TieredCache.FlashHit flashHit,
        WritePolicy writePolicy,
        int pageBytes,
        int blockBytes,
        long bufferThreshold,
        Set<Cause> buffered,
        int disks,
        DeviceOptions device,
        long sliceBytes,
        int queueLimit,
        long stretchNanos,
        boolean combinedLogging) {

    /** The written data that enters the cache (§3.4.1). All of it is written through. */
    public enum WritePolicy {
        WRITE_ALLOCATE,
        NO_WRITE_ALLOCATE,
        /** The data that HBase and HDFS suggest: primary replicas of files that are flushed or soon compacted. */
        WRITE_HINTS
    }

    public NodeStoreOptions {
        buffered = Set.copyOf(buffered);
        require(ramBytes >= 0 && flashBytes >= 0, "ram.size and flash.size: not below 0");
        require(ramNanos >= 0 && flashNanos >= 0, "ram.latency and flash.latency: not below 0");
        require(pageBytes >= 512, "cache.page: 512 bytes at least, not " + pageBytes);
        require(blockBytes >= 1, "disks.block: 1 byte at least");
        require(bufferThreshold >= 0, "buffer.threshold: not below 0");
        require(bufferThreshold == 0 || flashBytes > 0, "buffer.threshold: needs flash, but flash.size is 0");
        require(disks >= 1 && disks <= 10_000, "disks.count: from 1 to 10,000, not " + disks);
        require(!combinedLogging || disks > 1, "hdfs.logging: combined logging needs a second disk");
        require(pages(ramBytes, pageBytes) <= 1 << 30, "ram.size: more than 2^30 pages; take a larger cache.page");
        require(pages(flashBytes, pageBytes) <= 1 << 30, "flash.size: more than 2^30 pages; take a larger cache.page");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static long pages(long bytes, int pageBytes) {
        return bytes / pageBytes;
    }

    /** Returns this store with other sizes and stretches. */
    public NodeStoreOptions scaled(long ram, long flash, long stretch) {
        return new NodeStoreOptions(
                ram,
                ramPolicy,
                ramNanos,
                flash,
                flashPolicy,
                flashNanos,
                flashHit,
                writePolicy,
                pageBytes,
                blockBytes,
                bufferThreshold,
                buffered,
                disks,
                device,
                sliceBytes,
                queueLimit,
                stretch,
                combinedLogging);
    }

    int ramPages() {
        return (int) pages(ramBytes, pageBytes);
    }

    int flashPages() {
        return (int) pages(flashBytes, pageBytes);
    }

    boolean caches(boolean hinted) {
        return writePolicy == WritePolicy.WRITE_ALLOCATE || (writePolicy == WritePolicy.WRITE_HINTS && hinted);
    }

    /** Returns the simulator's own memory for a node with full caches, in bytes. */
    public long memory() {
        return (long) ramPages() * Tier.memoryPerPage(ramPolicy)
                + (long) flashPages() * Tier.memoryPerPage(flashPolicy);
    }
}
