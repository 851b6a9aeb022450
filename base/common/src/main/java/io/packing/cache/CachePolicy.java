// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The replacement policies by their names in experiments. */
public enum CachePolicy {
    LRU("lru", 34) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return LruCache.ofBlocks(capacity, departures);
        }

        @Override
        public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
            return LruCache.ofBytes(bytes, departures);
        }
    },
    SIEVE("sieve", 34) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return SieveCache.ofBlocks(capacity, departures);
        }

        @Override
        public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
            return SieveCache.ofBytes(bytes, departures);
        }
    },
    S3_FIFO("s3-fifo", 65) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return S3FifoCache.ofBlocks(capacity, departures);
        }

        @Override
        public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
            return S3FifoCache.ofBytes(bytes, departures);
        }
    },
    ARC("arc", 68) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return ArcCache.ofBlocks(capacity, departures);
        }

        @Override
        public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
            return ArcCache.ofBytes(bytes, departures);
        }
    },
    W_TINYLFU("w-tinylfu", 50) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return new WindowTinyLfuCache(capacity, departures);
        }
    },
    TWO_QUEUE("2q", 51) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return TwoQueueCache.ofBlocks(capacity, departures);
        }

        @Override
        public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
            return TwoQueueCache.ofBytes(bytes, departures);
        }
    },
    LIRS("lirs", 204) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return new LirsCache(capacity, departures);
        }
    },
    GDSF("gdsf", 70) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return GdsfCache.ofBlocks(capacity, departures);
        }

        @Override
        public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
            return GdsfCache.ofBytes(bytes, departures);
        }
    },
    HYPERBOLIC("hyperbolic", 60) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return HyperbolicCache.ofBlocks(capacity, departures);
        }

        @Override
        public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
            return HyperbolicCache.ofBytes(bytes, departures);
        }
    },
    LECAR("lecar", 210) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return LecarCache.ofBlocks(capacity, departures);
        }
    },
    LHD("lhd", 65) {
        @Override
        public BlockCache make(int capacity, BlockCache.EvictionListener departures) {
            return LhdCache.ofBlocks(capacity, departures);
        }
    };

    /** The policies that only know objects of one size. */
    private static final Set<CachePolicy> ONE_SIZE = EnumSet.of(W_TINYLFU, LIRS, LECAR, LHD);

    private final String label;
    private final int bytesPerBlock;

    CachePolicy(String label, int bytesPerBlock) {
        this.label = label;
        this.bytesPerBlock = bytesPerBlock;
    }

    /** Creates an empty cache of this policy. */
    public abstract BlockCache make(int capacity, BlockCache.EvictionListener departures);

    /**
     * Creates an empty cache of this policy that counts bytes.
     *
     * @throws IllegalArgumentException when the policy only knows objects of one size
     */
    public SizedCache makeSized(long bytes, BlockCache.EvictionListener departures) {
        throw new IllegalArgumentException("no policy '%s' for a cache by bytes; there are %s"
                .formatted(
                        label,
                        Arrays.stream(values())
                                .filter(CachePolicy::countsBytes)
                                .map(CachePolicy::label)
                                .collect(Collectors.joining(", "))));
    }

    /** Returns whether the policy has a cache that counts bytes. */
    public boolean countsBytes() {
        return !ONE_SIZE.contains(this);
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
