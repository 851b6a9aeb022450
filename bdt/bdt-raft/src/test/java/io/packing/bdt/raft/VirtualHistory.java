// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The clients' history of lists that they append to and read. It is linearizable under three conditions. All reads are
 * prefixes of the list at the end. The list has each answered operation once. No operation comes before one that had
 * ended when it began.
 */
final class VirtualHistory {
    private record Read(String list, String value, long begun, long ended) {}

    private final Map<String, Long> begun = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();
    private final Map<String, String> lists = new HashMap<>();
    private final List<Read> reads = new ArrayList<>();

    void begins(String operation, String list, long now) {
        begun.put(operation, now);
        lists.put(operation, list);
    }

    void ends(String operation, long now) {
        ended.put(operation, now);
    }

    void read(String list, String value, long from, long to) {
        reads.add(new Read(list, value, from, to));
    }

    /** Counts the operations that ended. */
    int size() {
        return ended.size() + reads.size();
    }

    static List<String> split(String value) {
        return value.isEmpty() ? List.of() : Arrays.asList(value.split(" "));
    }

    /** Checks the history against the lists at the end; returns the violations. */
    List<String> wrong(Map<String, String> last) {
        List<String> wrong = new ArrayList<>();
        last.forEach((list, value) -> {
            List<String> all = split(value);
            if (new HashSet<>(all).size() < all.size()) {
                wrong.add("an operation happened twice in %s: %s".formatted(list, all));
            }
            long earliestEnd = Long.MAX_VALUE;
            for (int i = all.size() - 1; i >= 0; i--) {
                if (earliestEnd < begun.getOrDefault(all.get(i), 0L)) {
                    wrong.add("%s stands before an operation of %s that had ended".formatted(all.get(i), list));
                }
                earliestEnd = Math.min(earliestEnd, ended.getOrDefault(all.get(i), Long.MAX_VALUE));
            }
        });
        ended.keySet().stream()
                .filter(each -> !split(last.getOrDefault(lists.get(each), "")).contains(each))
                .forEach(each -> wrong.add("%s was answered and is lost".formatted(each)));
        reads.forEach(read -> check(read, last, wrong));
        return wrong;
    }

    private void check(Read read, Map<String, String> last, List<String> wrong) {
        List<String> all = split(last.getOrDefault(read.list, ""));
        List<String> seen = split(read.value);
        if (seen.size() > all.size() || !all.subList(0, seen.size()).equals(seen)) {
            wrong.add("a read saw %s, which is no beginning of %s".formatted(seen, all));
            return;
        }
        if (seen.stream().anyMatch(each -> begun.getOrDefault(each, 0L) > read.ended)) {
            wrong.add("a read of %s saw what had not begun".formatted(read.list));
        }
        if (all.subList(seen.size(), all.size()).stream()
                .anyMatch(each -> ended.getOrDefault(each, Long.MAX_VALUE) < read.begun)) {
            wrong.add("a read of %s at %d did not see what had ended".formatted(read.list, read.begun));
        }
        if (reads.stream()
                .anyMatch(other -> other.list.equals(read.list)
                        && other.ended < read.begun
                        && split(other.value).size() > seen.size())) {
            wrong.add("a read of %s at %d saw less than one before".formatted(read.list, read.begun));
        }
    }
}
