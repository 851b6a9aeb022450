// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.bpf.CallPlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The calls of this machine by their numbers, with the kinds of their arguments. */
final class CallTable {
    /**
     * A call.
     *
     * @param kinds of its arguments, in their order
     */
    record Entry(String name, List<String> kinds) {}

    private static final String PATH = "path";
    /** The kinds of arguments that point to a structure, with its size or the part of it that is needed. */
    private static final Map<String, Integer> STRUCTURES = Map.of(
            "stat", 56,
            "statx", 48,
            "how", 8,
            "control", 2,
            "clone", 32,
            "clone_structure", 8,
            "offset", 8,
            "buffers", CallPlan.BUFFERS);

    private static final String SECOND_NUMBER = "offset2";
    /** The calls whose begin matters: a new program's path is gone at the end, and a closed number is free at once. */
    private static final Set<String> BEGIN = Set.of("execve", "execveat", "close");

    private static final Map<String, Integer> FLAGS = Map.of("clone", 1, "clone3", 2);

    private final Map<Integer, Entry> entries = new HashMap<>();

    private CallTable() {}

    /** Reads the calls of Linux on x86-64. */
    static CallTable read() throws IOException {
        CallTable table = new CallTable();
        for (String line : KernelNames.lines("calls-x86-64.txt")) {
            List<String> words = List.of(line.split(" ", -1));
            table.entries.put(Integer.parseInt(words.get(0)), new Entry(words.get(1), words.subList(2, words.size())));
        }
        return table;
    }

    Optional<Entry> of(int number) {
        return Optional.ofNullable(entries.get(number));
    }

    Set<String> names() {
        return Set.copyOf(entries.values().stream().map(Entry::name).toList());
    }

    /** Returns the plans of all calls by their numbers. */
    Map<Integer, CallPlan> plans() {
        Map<Integer, CallPlan> plans = new HashMap<>();
        entries.forEach((number, entry) -> plans.put(number, plan(entry)));
        return plans;
    }

    private static CallPlan plan(Entry entry) {
        int first = entry.kinds().indexOf(PATH);
        int last = entry.kinds().lastIndexOf(PATH);
        int structure = CallPlan.NONE;
        int size = CallPlan.BUFFERS;
        for (int i = 0; i < entry.kinds().size(); i++) {
            Integer known = STRUCTURES.get(entry.kinds().get(i));
            if (known != null) {
                structure = i;
                size = known;
            }
        }
        return new CallPlan(
                first,
                last > first ? last : CallPlan.NONE,
                structure,
                size,
                entry.kinds().indexOf(SECOND_NUMBER),
                BEGIN.contains(entry.name()),
                FLAGS.getOrDefault(entry.name(), 0));
    }
}
