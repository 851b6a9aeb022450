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
 * A cache whose values are made once for all who ask at the same time, as a kernel does that reads ahead. When the first of them fails, each
 * tries it himself. Thread-safe.
 */
final class SharedLoads<K, V> {
    private final Cache<K, V> done;
    private final ConcurrentMap<K, CompletableFuture<Optional<V>>> underWay = new ConcurrentHashMap<>();

    /** Makes a value. */
    interface Load<V> {
        V run() throws IOException;
    }

    SharedLoads(long maximumWeight, Weigher<K, V> weigher) {
        this.done = Caffeine.newBuilder()
                .maximumWeight(maximumWeight)
                .weigher(weigher)
                .build();
    }

    /** The value, which others have as well. */
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
            // For those who wait, if it failed.
            boolean unused = mine.complete(Optional.empty());
            boolean unusedToo = underWay.remove(key, mine);
        }
    }

    /** Gives up the values of some keys. */
    void forget(Predicate<K> which) {
        done.asMap().keySet().removeIf(which);
    }
}
