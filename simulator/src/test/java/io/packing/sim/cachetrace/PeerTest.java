// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.simulator.policy.AccessEvent;
import com.github.benmanes.caffeine.cache.simulator.policy.Policy;
import com.github.benmanes.caffeine.cache.simulator.policy.linked.SievePolicy;
import io.packing.cache.BlockCache;
import io.packing.cache.CachePolicy;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A comparison of hits with the Caffeine simulator on the traces of its jar, to the integer. The largest, prods.trace
 * of Scarab, takes longer than all others together and runs only with {@code -Dpacking.peer.large=true}.
 */
class PeerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2_pools", "backf", "cpp", "cs", "gli", "loop", "multi1", "multi2", "multi3", "ps", "scan", "sprite",
                "zigzag"
            })
    void allPoliciesHitAsOftenAsThePeersOnTheTracesOfLirs(String name) {
        long[] blocks = Peer.trace("lirs", name + ".trace.gz");
        for (int capacity : new int[] {100, 500, 1000}) {
            sameHits(name, blocks, capacity, Peer.POLICIES);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "cloud-physics, w106.trace.xz, 10000",
        "cache2k, orm-busy.trace.xz, 1000",
        "cache2k, orm-night.trace.xz, 1000",
        "cache2k, web07.trace.xz, 1000",
        "cache2k, web12.trace.xz, 1000",
        "corda, trace_vaultservice.gz, 1000",
        "gradle, build-cache.xz, 1000",
        "scarab, scarab-recs.trace.xz, 10000",
        "address, gcc.trace.gz, 1000",
        "address, swim.trace.gz, 1000",
        "address, twolf.trace.gz, 1000",
    })
    void allPoliciesHitAsOftenAsThePeersOnOtherTraces(String format, String file, int capacity) {
        sameHits(file, Peer.trace(format, file), capacity, Peer.POLICIES);
    }

    @ParameterizedTest
    @CsvSource({
        "adapt-size, request.trace.xz, 1000",
        "address-penalties, gcc.trace.xz, 1000",
        "address, gzip.trace.gz, 1000",
        "address, mcf.trace.gz, 1000",
        "corda, trace_vaultservice_large.gz, 1000",
        "scarab, recs.trace.20160808T073231Z.xz, 10000",
    })
    void lruHitsAsOftenAsThePeersOnTheOtherTracesOfTheJar(String format, String file, int capacity) {
        sameHits(file, Peer.trace(format, file), capacity, Set.of(CachePolicy.LRU));
    }

    /** All policies share one read of the trace, which never fits in memory. */
    @Test
    @EnabledIfSystemProperty(
            named = "packing.peer.large",
            matches = "true",
            disabledReason = "takes minutes; run with -Dpacking.peer.large=true")
    void allPoliciesHitAsOftenAsThePeersOnTheLargestTraceOfTheJar() {
        List<Pair> pairs = Peer.POLICIES.stream().map(Pair::new).toList();
        Peer.forEach("scarab", "prods.trace.20160808T073231Z.xz", block -> pairs.forEach(pair -> pair.request(block)));
        for (Pair pair : pairs) {
            pair.peer.finished();
            System.out.printf("%s on prods.trace: %,d hits of %,d requests%n", pair.policy, pair.hits, pair.requests);
            assertThat(pair.requests).isPositive();
            assertThat(pair.hits)
                    .as("%s on prods.trace", pair.policy)
                    .isEqualTo(pair.peer.stats().hitCount());
        }
    }

    /** A policy of the Caffeine simulator and one of ours, with equal requests. */
    private static final class Pair {
        private static final int CAPACITY = 10_000;

        private final CachePolicy policy;
        private final Policy peer;
        private final BlockCache ours;
        private long requests;
        private long hits;

        Pair(CachePolicy policy) {
            this.policy = policy;
            peer = Peer.policy(policy, CAPACITY);
            ours = policy.make(CAPACITY, BlockCache.EvictionListener.UNHEARD);
        }

        void request(long block) {
            requests++;
            peer.record(AccessEvent.forKey(block));
            hits += ours.request(block) ? 1 : 0;
        }
    }

    /** The columns have the hits that papers publish for these policies. */
    @ParameterizedTest
    @CsvSource({
        "lirs, multi3.trace.gz, 500, 9875, 10022, 10992",
        "lirs, multi1.trace.gz, 500, 7375, 7814, 7833",
        "lirs, sprite.trace.gz, 500, 104922, 97273, 103684",
        "lirs, 2_pools.trace.gz, 300, 45141, 50855, 50889",
        "cloud-physics, w106.trace.xz, 10000, 4435394, 4511770, 4456477",
    })
    void lruSieveAndArcHitAsOftenAsIsKnown(String format, String file, int capacity, long lru, long sieve, long arc) {
        long[] blocks = Peer.trace(format, file);
        assertThat(hits(CachePolicy.LRU, capacity, blocks)).isEqualTo(lru);
        assertThat(hits(CachePolicy.SIEVE, capacity, blocks)).isEqualTo(sieve);
        assertThat(hits(CachePolicy.ARC, capacity, blocks)).isEqualTo(arc);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 500})
    void thePeersSieveLeavesOneBlockOfItsSizeUnused(int capacity) {
        long[] blocks = Peer.trace("lirs", "multi3.trace.gz");
        assertThat(Peer.hits(new SievePolicy(Peer.config(capacity)), blocks))
                .isEqualTo(hits(CachePolicy.SIEVE, capacity - 1, blocks));
    }

    private static void sameHits(String name, long[] blocks, int capacity, Collection<CachePolicy> policies) {
        assertThat(blocks).as(name).isNotEmpty();
        for (CachePolicy policy : policies) {
            assertThat(hits(policy, capacity, blocks))
                    .as("%s of %d blocks on %s", policy, capacity, name)
                    .isEqualTo(Peer.hits(Peer.policy(policy, capacity), blocks));
        }
    }

    private static long hits(CachePolicy policy, int capacity, long[] blocks) {
        BlockCache cache = policy.make(capacity, BlockCache.EvictionListener.UNHEARD);
        long hits = 0;
        for (long block : blocks) {
            hits += cache.request(block) ? 1 : 0;
        }
        return hits;
    }
}
