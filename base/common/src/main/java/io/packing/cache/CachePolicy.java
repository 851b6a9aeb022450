// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The replacement policies by their names in experiments. */
public enum CachePolicy {
    LRU("lru", 34, LruCache::ofBlocks, LruCache::ofBytes),
    SIEVE("sieve", 34, SieveCache::ofBlocks, SieveCache::ofBytes),
    S3_FIFO("s3-fifo", 65, S3FifoCache::ofBlocks, S3FifoCache::ofBytes),
    ARC("arc", 68, ArcCache::ofBlocks, ArcCache::ofBytes),
    W_TINYLFU("w-tinylfu", 50, WindowTinyLfuCache::new),
    TWO_QUEUE("2q", 51, TwoQueueCache::ofBlocks, TwoQueueCache::ofBytes),
    LIRS("lirs", 204, LirsCache::new),
    GDSF("gdsf", 70, GdsfCache::ofBlocks, GdsfCache::ofBytes),
    HYPERBOLIC("hyperbolic", 60, HyperbolicCache::ofBlocks, HyperbolicCache::ofBytes),
    LECAR("lecar", 210, LecarCache::ofBlocks),
    LHD("lhd", 65, LhdCache::ofBlocks);

    /** Makes a cache of blocks of one size. */
    private interface OfBlocks {
        BlockCache make(int capacity, BlockCache.EvictionListener departures);
    }

    /** Makes a cache of objects of any size. */
    private interface OfBytes {
        SizedCache make(long bytes, BlockCache.EvictionListener departures);
    }

    private final String label;
    private final int bytesPerBlock;

    @SuppressWarnings("ImmutableEnumChecker")
    private final OfBlocks blocks;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Optional<OfBytes> sized;

    /** A policy that only knows objects of one size. */
    CachePolicy(String label, int bytesPerBlock, OfBlocks blocks) {
        this(label, bytesPerBlock, blocks, Optional.empty());
    }

    CachePolicy(String label, int bytesPerBlock, OfBlocks blocks, OfBytes sized) {
        this(label, bytesPerBlock, blocks, Optional.of(sized));
    }

    CachePolicy(String label, int bytesPerBlock, OfBlocks blocks, Optional<OfBytes> sized) {
        this.label = label;
        this.bytesPerBlock = bytesPerBlock;
        this.blocks = blocks;
        this.sized = sized;
    }

    /** Creates an empty cache of this policy. */
    public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
        return blocks.make(capacity, departures);
    }

    /**
     * Creates an empty cache of this policy that counts bytes.
     *
     * @throws IllegalArgumentException when the policy only knows objects of one size
     */
    public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
        return sized.orElseThrow(() -> new IllegalArgumentException("no policy '%s' for a cache by bytes; there are %s"
                        .formatted(
                                label,
                                Arrays.stream(values())
                                        .filter(CachePolicy::countsBytes)
                                        .map(CachePolicy::label)
                                        .collect(Collectors.joining(", ")))))
                .make(bytes, departures);
    }

    /** Returns whether the policy has a cache that counts bytes. */
    public boolean countsBytes() {
        return sized.isPresent();
    }

    /** Returns the name in experiments. */
    public String label() {
        return label;
    }

    /** Returns the most bytes of memory, about, that the simulator needs for each block of the capacity. */
    public int bytesPerBlock() {
        return bytesPerBlock;
    }

    /**
     * Returns the policy of a name.
     *
     * @throws IllegalArgumentException with all names when none has this one
     */
    public static CachePolicy named(String label) {
        for (CachePolicy policy : values()) {
            if (policy.label.equals(label.toLowerCase(Locale.ROOT))) {
                return policy;
            }
        }
        throw new IllegalArgumentException("no policy '%s'; there are %s"
                .formatted(
                        label, Arrays.stream(values()).map(CachePolicy::label).collect(Collectors.joining(", "))));
    }
}
