// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** LIRS as Section 3.3 of its paper writes it: the stack S, the list Q, and the set of LIR blocks; the oldest block first. */
final class NaiveLirs implements NaiveCaches.Naive {
    private final int capacity;
    private final int most;
    private final List<Long> stack = new ArrayList<>();
    private final List<Long> queue = new ArrayList<>();
    private final List<Long> gone = new ArrayList<>();
    private final Set<Long> low = new HashSet<>();

    NaiveLirs(int capacity) {
        this.capacity = capacity;
        most = Math.max(1, (int) (capacity * 0.99));
    }

    private int size() {
        return low.size() + queue.size();
    }

    @Override
    public boolean request(long block) {
        boolean known = stack.contains(block);
        boolean last = known && stack.get(stack.size() - 1) == block;
        if (low.contains(block)) {
            push(block);
            prune();
            return true;
        }
        if (queue.remove(block)) {
            push(block);
            if (known && !last) {
                promote(block);
            } else {
                queue.add(block);
            }
            return true;
        }
        gone.remove(block);
        boolean full = size() == capacity;
        if (full) {
            evict();
        }
        known = stack.contains(block);
        if (low.size() < most && !known) {
            push(block);
            low.add(block);
        } else if (known) {
            push(block);
            promote(block);
        } else {
            if (full) {
                push(block);
            }
            queue.add(block);
        }
        return false;
    }

    private void push(long block) {
        stack.remove(block);
        stack.add(block);
    }

    private void promote(long block) {
        low.add(block);
        if (low.size() > most) {
            long bottom = stack.remove(0);
            low.remove(bottom);
            queue.add(bottom);
        }
        prune();
    }

    private void prune() {
        while (!stack.isEmpty() && !low.contains(stack.get(0))) {
            gone.remove(stack.remove(0));
        }
    }

    private void evict() {
        if (queue.isEmpty()) {
            low.remove(stack.remove(0));
            prune();
            return;
        }
        long victim = queue.remove(0);
        if (stack.contains(victim)) {
            gone.add(victim);
            if (gone.size() > 2 * capacity) {
                stack.remove(gone.remove(0));
            }
        }
    }

    @Override
    public Set<Long> content() {
        Set<Long> all = new HashSet<>(low);
        all.addAll(queue);
        return all;
    }
}
