// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The numbers of a recording's stacks. Memory grows with the number of different ones. Confined to one thread. */
final class Stacks {
    private final Map<List<String>, Long> numbers = new HashMap<>();
    private long next;

    /** @param first number of the first stack */
    Stacks(long first) {
        this.next = first;
    }

    /** Returns whether a stack has no number yet. */
    boolean isNew(List<String> frames) {
        return !numbers.containsKey(frames);
    }

    /** Returns the number of a stack, which it gets at its first call. */
    long number(List<String> frames) {
        return numbers.computeIfAbsent(frames, stack -> next++);
    }
}
