// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The full version of 2Q as its paper writes it: A1in, A1out and Am, the oldest block first. */
final class NaiveTwoQueue implements NaiveCaches.Naive {
    private final int capacity;
    private final List<Long> in = new ArrayList<>();
    private final List<Long> out = new ArrayList<>();
    private final List<Long> main = new ArrayList<>();

    NaiveTwoQueue(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public boolean request(long block) {
        if (main.remove(block)) {
            main.add(block);
            return true;
        }
        if (in.contains(block)) {
            return true;
        }
        List<Long> to = out.remove(block) ? main : in;
        reclaim();
        to.add(block);
        return false;
    }

    private void reclaim() {
        if (in.size() + main.size() < capacity) {
            return;
        }
        if (in.size() > capacity / 4) {
            out.add(in.remove(0));
            if (out.size() > capacity / 2) {
                out.remove(0);
            }
        } else {
            main.remove(0);
        }
    }

    @Override
    public Set<Long> content() {
        Set<Long> all = new HashSet<>(in);
        all.addAll(main);
        return all;
    }
}
