// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.run;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters by name. Thread-safe. */
public final class Counts {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(String name) {
        add(name, 1);
    }

    public void add(String name, long count) {
        counts.computeIfAbsent(name, unseen -> new LongAdder()).add(count);
    }

    public void addAll(Counts others) {
        others.all().forEach(this::add);
    }

    public long of(String name) {
        LongAdder count = counts.get(name);
        return count == null ? 0 : count.sum();
    }

    public Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((name, count) -> all.put(name, count.sum()));
        return all;
    }
}
