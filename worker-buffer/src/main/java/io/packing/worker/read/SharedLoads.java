// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Weigher;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/**
 * A cache that makes each value once for all concurrent callers, such as the reads ahead of a kernel. When the first
 * caller fails, each other one makes the value itself. Thread-safe.
 */
final class SharedLoads<K, V> {
    private final Cache<K, V> done;
    private final ConcurrentMap<K, CompletableFuture<Optional<V>>> underWay = new ConcurrentHashMap<>();

    /** The maker of a value. */
    interface Load<V> {
        V run() throws IOException;
    }

    SharedLoads(long maximumWeight, Weigher<K, V> weigher) {
        this.done = Caffeine.newBuilder()
                .maximumWeight(maximumWeight)
                .weigher(weigher)
                .build();
    }

    /** Returns the value, which other callers share. */
    V get(K key, Load<V> load) throws IOException {
        V there = done.getIfPresent(key);
        if (there != null) {
            return there;
        }
        CompletableFuture<Optional<V>> mine = new CompletableFuture<>();
        CompletableFuture<Optional<V>> others = underWay.putIfAbsent(key, mine);
        if (others != null) {
            Optional<V> found = others.join();
            return found.isPresent() ? found.get() : load.run();
        }
        try {
            V value = load.run();
            done.put(key, value);
            mine.complete(Optional.of(value));
            return value;
        } finally {
            // Release the waiting callers after a failure.
            boolean unused = mine.complete(Optional.empty());
            boolean unusedToo = underWay.remove(key, mine);
        }
    }

    /** Forgets the values of some keys. */
    void forget(Predicate<K> which) {
        done.asMap().keySet().removeIf(which);
    }
}
