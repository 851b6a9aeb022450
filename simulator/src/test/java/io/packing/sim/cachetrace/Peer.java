// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

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
import io.packing.cache.CachePolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** The Caffeine simulator: its traces and its policies. */
final class Peer {
    /** The policies that the peer has, too. Its GDSF breaks ties by the number of the block, and its other ones draw otherwise than ours. */
    static final Set<CachePolicy> POLICIES = EnumSet.range(CachePolicy.LRU, CachePolicy.LIRS);

    private Peer() {}

    /** Returns the blocks of a trace in the simulator's jar. */
    static long[] trace(String format, String file) {
        try (Stream<AccessEvent> events =
                TraceFormat.named(format).readFiles(List.of(file)).events()) {
            return events.mapToLong(AccessEvent::key).toArray();
        }
    }

    /** Reads the blocks of a trace in the simulator's jar that is too long for an array. */
    static void forEach(String format, String file, LongConsumer block) {
        try (Stream<AccessEvent> events =
                TraceFormat.named(format).readFiles(List.of(file)).events()) {
            events.mapToLong(AccessEvent::key).forEach(block);
        }
    }

    static long hits(Policy policy, long[] blocks) {
        for (long block : blocks) {
            policy.record(AccessEvent.forKey(block));
        }
        policy.finished();
        return policy.stats().hitCount();
    }

    /** Returns the simulator's policy of this name with equal parameters. */
    static Policy policy(CachePolicy policy, int capacity) {
        return switch (policy) {
            case LRU -> new LinkedPolicy(config(capacity), Set.of(), Admission.ALWAYS, LinkedPolicy.EvictionPolicy.LRU);
            // It evicts until one more block than the new one fits, so one block is never used.
            case SIEVE -> new SievePolicy(config(capacity + 1));
            case S3_FIFO -> new S3FifoPolicy(config(capacity));
            case ARC -> new ArcPolicy(config(capacity));
            case W_TINYLFU ->
                WindowTinyLfuPolicy.policies(config(capacity)).iterator().next();
            case TWO_QUEUE -> new TwoQueuePolicy(config(capacity));
            case LIRS -> new LirsPolicy(config(capacity));
            case GDSF, HYPERBOLIC, LECAR, LHD -> throw new IllegalArgumentException("the peer has no equal " + policy);
        };
    }

    static Config config(int capacity) {
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
}
