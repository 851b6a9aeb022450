// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The names of files through a trace, in the order of time: the file of a path at each time, and the births and deaths
 * of files. A file keeps its number under all names (§3.2.1); a renamed directory moves the files below it.
 */
final class NamespaceIndex {
    private final Rules rules;
    private final TraceScan.Sink sink;
    private final Identities identities = new Identities();
    private final TreeMap<String, Long> live = new TreeMap<>();
    /** The number of files of a name, for names that had more than one. */
    private final Map<String, Integer> generations = new HashMap<>();

    /** The files whose first name is free again: the next file that gets it is another one. */
    private final Set<Long> gone = new HashSet<>();

    NamespaceIndex(Rules rules, TraceScan.Sink sink) {
        this.rules = rules;
        this.sink = sink;
    }

    void add(long nanos, NamespaceChange change) throws IOException {
        switch (change.kind()) {
            case MAKE -> make(change.path(), nanos);
            case OPEN -> live.computeIfAbsent(change.path(), path -> fresh(path, nanos));
            case RENAME -> rename(change.path(), change.target(), nanos);
            case DELETE -> delete(change.path(), nanos);
        }
    }

    private void make(String path, long nanos) throws IOException {
        Long replaced = live.remove(path);
        if (replaced != null) {
            sink.access(replaced, nanos, FileEvent.deleted());
            gone.add(replaced);
        }
        long file = fresh(path, nanos);
        live.put(path, file);
        sink.access(file, nanos, FileEvent.named(rules.classify(path)));
        sink.access(file, nanos, FileEvent.created());
    }

    /** Returns a file that begins with this name, or whose past is not in the trace. */
    private long fresh(String path, long nanos) {
        long first = TracedFileIds.of(path);
        if (!gone.contains(first) && !generations.containsKey(path)) {
            return first;
        }
        Integer generation = generations.merge(path, 1, Integer::sum);
        long file = TracedFileIds.of(path, generation);
        identities.add(path, nanos, file);
        return file;
    }

    private void rename(String from, String to, long nanos) throws IOException {
        List<String> below = below(from);
        if (below.isEmpty() || live.containsKey(from)) {
            move(from, to, nanos);
        }
        for (String path : below) {
            move(path, to + path.substring(from.length()), nanos);
        }
    }

    private void move(String from, String to, long nanos) throws IOException {
        Long known = live.remove(from);
        long file = known == null ? fresh(from, nanos) : known;
        Long replaced = live.put(to, file);
        if (replaced != null && replaced != file) {
            sink.access(replaced, nanos, FileEvent.deleted());
            gone.add(replaced);
        }
        gone.add(file);
        identities.add(to, nanos, file);
        sink.access(file, nanos, FileEvent.named(rules.classify(to)));
    }

    private void delete(String path, long nanos) throws IOException {
        List<String> below = below(path);
        Long file = live.remove(path);
        if (file != null || below.isEmpty()) {
            remove(path, file == null ? fresh(path, nanos) : file, nanos);
        }
        for (String inside : below) {
            Long lost = live.remove(inside);
            if (lost != null) {
                remove(inside, lost, nanos);
            }
        }
    }

    private void remove(String path, long file, long nanos) throws IOException {
        gone.add(file);
        sink.access(file, nanos, FileEvent.named(rules.classify(path)));
        sink.access(file, nanos, FileEvent.deleted());
    }

    private List<String> below(String directory) {
        return new ArrayList<>(live.subMap(directory + "/", directory + "0").keySet());
    }

    Identities identities() {
        return identities;
    }
}
