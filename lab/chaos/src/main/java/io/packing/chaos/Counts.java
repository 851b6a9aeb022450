package io.packing.chaos;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters by name. Thread-safe. */
final class Counts {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void add(String name) {
        add(name, 1);
    }

    void add(String name, long count) {
        counts.computeIfAbsent(name, unseen -> new LongAdder()).add(count);
    }

    void addAll(Counts others) {
        others.all().forEach(this::add);
    }

    long of(String name) {
        LongAdder count = counts.get(name);
        return count == null ? 0 : count.sum();
    }

    Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((name, count) -> all.put(name, count.sum()));
        return all;
    }
}
