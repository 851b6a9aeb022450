// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The descriptors of a process, or of tasks that share them. */
final class DescriptorTable {
    private record Slot(OpenFile open, boolean closeOnExec) {}

    private final TreeMap<Integer, Slot> slots = new TreeMap<>();
    private int users = 1;

    Optional<OpenFile> get(int descriptor) {
        return Optional.ofNullable(slots.get(descriptor)).map(Slot::open);
    }

    /** Sets a descriptor to an open file; returns its last open file, if that has no other descriptor. */
    Optional<OpenFile> put(int descriptor, OpenFile open, boolean closeOnExec) {
        open.retain();
        Slot before = slots.put(descriptor, new Slot(open, closeOnExec));
        return before != null && before.open().release() ? Optional.of(before.open()) : Optional.empty();
    }

    void closeOnExec(int descriptor, boolean on) {
        slots.computeIfPresent(descriptor, (number, slot) -> new Slot(slot.open(), on));
    }

    /** Closes a descriptor; returns the open file if this was its last descriptor. */
    Optional<OpenFile> close(int descriptor) {
        Slot slot = slots.remove(descriptor);
        return slot != null && slot.open().release() ? Optional.of(slot.open()) : Optional.empty();
    }

    /** Returns the descriptors from {@code first} to {@code last}. */
    List<Integer> between(int first, int last) {
        return first > last
                ? List.of()
                : List.copyOf(slots.subMap(first, true, last, true).keySet());
    }

    /** Returns the descriptors that execve closes. */
    List<Integer> closedOnExec() {
        List<Integer> numbers = new ArrayList<>();
        slots.forEach((number, slot) -> {
            if (slot.closeOnExec()) {
                numbers.add(number);
            }
        });
        return numbers;
    }

    List<Integer> all() {
        return List.copyOf(slots.keySet());
    }

    DescriptorTable copy() {
        DescriptorTable copy = new DescriptorTable();
        slots.forEach((number, slot) -> copy.put(number, slot.open(), slot.closeOnExec()));
        return copy;
    }

    /** Adds a task to the users of this table. */
    DescriptorTable share() {
        users++;
        return this;
    }

    /** Removes a task from the users; returns true if none is left. */
    boolean leave() {
        users--;
        return users == 0;
    }

    boolean isShared() {
        return users > 1;
    }
}
