// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.github.benmanes.caffeine.cache.simulator.admission.Admission;
import com.github.benmanes.caffeine.cache.simulator.parser.TraceFormat;
import com.github.benmanes.caffeine.cache.simulator.policy.AccessEvent;
import com.github.benmanes.caffeine.cache.simulator.policy.Policy;
import com.github.benmanes.caffeine.cache.simulator.policy.adaptive.ArcPolicy;
import com.github.benmanes.caffeine.cache.simulator.policy.irr.LirsPolicy;
import com.github.benmanes.caffeine.cache.simulator.policy.linked.LinkedPolicy;
import com.github.benmanes.caffeine.cache.simulator.policy.linked.SievePolicy;
import com.github.benmanes.caffeine.cache.simulator.policy.sketch.WindowTinyLfuPolicy;
import com.github.benmanes.caffeine.cache.simulator.policy.two_queue.S3FifoPolicy;
import com.github.benmanes.caffeine.cache.simulator.policy.two_queue.TwoQueuePolicy;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.cache.BlockCache;
import io.packing.cache.CachePolicy;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A benchmark of each cache policy beside the Caffeine simulator's: requests a second of one core. The trace is
 * CloudPhysics' w106 of its jar (5,292,456 requests, in memory), the caches have 10,000 blocks. Both take turns;
 * figures are medians of the thread's processor time. Their hits must be equal.
 *
 * <p>Usage: {@code cache-lru [rounds] [policy...]}.
 */
public final class CacheLru {
    private static final int CAPACITY = 10_000;

    /** The rounds before the measured ones, which compile the code. */
    private static final int WARM_UP = 2;

    private CacheLru() {}

    /** The figures of one run. */
    private record Run(long hits, double perSecond) {}

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        CachePolicy[] policies = args.length > 1
                ? Arrays.stream(args).skip(1).map(CachePolicy::named).toArray(CachePolicy[]::new)
                : EnumSet.range(CachePolicy.LRU, CachePolicy.LIRS).toArray(CachePolicy[]::new);
        long[] blocks;
        try (Stream<AccessEvent> events = TraceFormat.named("cloud-physics")
                .readFiles(List.of("w106.trace.xz"))
                .events()) {
            blocks = events.mapToLong(AccessEvent::key).toArray();
        }
        System.out.printf(
                Locale.ROOT,
                "w106: %,d requests, %,d blocks of cache, medians of %d rounds, requests/s of processor time%n%n%-10s %12s"
                        + " %14s %14s %7s%n",
                blocks.length,
                CAPACITY,
                rounds,
                "policy",
                "hits",
                "packing",
                "peer",
                "ratio");
        for (CachePolicy policy : policies) {
            compare(policy, blocks, rounds);
        }
    }

    private static void compare(CachePolicy policy, long[] blocks, int rounds) {
        double[] ours = new double[rounds];
        double[] peers = new double[rounds];
        long hits = 0;
        for (int round = -WARM_UP; round < rounds; round++) {
            Run mine = mine(policy, blocks);
            Run peer = peer(policy, blocks);
            if (mine.hits() != peer.hits()) {
                throw new IllegalStateException(
                        "%s: %,d hits, the peer has %,d".formatted(policy.label(), mine.hits(), peer.hits()));
            }
            hits = mine.hits();
            if (round >= 0) {
                ours[round] = mine.perSecond();
                peers[round] = peer.perSecond();
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%-10s %,12d %,14.0f %,14.0f %7.1f%n",
                policy.label(),
                hits,
                Measure.median(ours),
                Measure.median(peers),
                Measure.median(ours) / Measure.median(peers));
    }

    private static Run mine(CachePolicy policy, long[] blocks) {
        BlockCache cache = policy.make(CAPACITY, BlockCache.EvictionListener.UNHEARD);
        long hits = 0;
        long start = processorNanos();
        for (long block : blocks) {
            hits += cache.request(block) ? 1 : 0;
        }
        return new Run(hits, blocks.length / ((processorNanos() - start) / 1e9));
    }

    private static Run peer(CachePolicy policy, long[] blocks) {
        Policy peer = peer(policy);
        long start = processorNanos();
        for (long block : blocks) {
            peer.record(AccessEvent.forKey(block));
        }
        return new Run(peer.stats().hitCount(), blocks.length / ((processorNanos() - start) / 1e9));
    }

    private static Policy peer(CachePolicy policy) {
        return switch (policy) {
            case LRU -> new LinkedPolicy(config(CAPACITY), Set.of(), Admission.ALWAYS, LinkedPolicy.EvictionPolicy.LRU);
            // The simulator leaves one block of its capacity unused.
            case SIEVE -> new SievePolicy(config(CAPACITY + 1));
            case S3_FIFO -> new S3FifoPolicy(config(CAPACITY));
            case ARC -> new ArcPolicy(config(CAPACITY));
            case W_TINYLFU ->
                WindowTinyLfuPolicy.policies(config(CAPACITY)).iterator().next();
            case TWO_QUEUE -> new TwoQueuePolicy(config(CAPACITY));
            case LIRS -> new LirsPolicy(config(CAPACITY));
            case GDSF, HYPERBOLIC, LECAR, LHD ->
                throw new IllegalArgumentException("the peer has no equal " + policy.label());
        };
    }

    private static Config config(int capacity) {
        return ConfigFactory.parseString("""
                        caffeine.simulator {
                          maximum-size = %d
                          tiny-lfu.jitter.enabled = false
                          two-queue.percent-in = 0.25
                        }
                        """.formatted(capacity))
                .withFallback(ConfigFactory.parseResources("reference.conf"))
                .resolve()
                .getConfig("caffeine.simulator");
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
