// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.hadoop;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files and directories that must exist before the first call of a trace, so that its calls succeed again.
 *
 * <p>These are files that the trace reads, renames or deletes without having made them. Each has the length that the
 * trace reads, and the name at the start of the trace. Memory grows with the number of distinct paths and renames.
 */
final class Prerequisites {
    private record Move(String from, String to) {}

    /** The paths that the trace made, by their current names. */
    private final TreeSet<String> made = new TreeSet<>();

    private final Deque<Move> moves = new ArrayDeque<>();
    private final Map<String, String> original = new HashMap<>();
    private final TreeMap<String, Long> files = new TreeMap<>();
    private final Set<String> directories = new TreeSet<>();

    /** Adds the next event of the trace. */
    void add(TraceEvent event) {
        if (event.failed() || event.path().isEmpty()) {
            return;
        }
        String path = event.path();
        if (event.call().subject() == Subject.INPUT) {
            if (event.call().reads() && event.offset() >= 0) {
                needs(path, event.end());
            }
            return;
        }
        if (event.call().subject() == Subject.OUTPUT) {
            // The stream was open when the trace began, so its file existed.
            if (event.call().writes() && event.offset() > 0) {
                needs(path, event.offset());
            }
            return;
        }
        onPath(event, path);
    }

    private void onPath(TraceEvent event, String path) {
        Call call = event.call();
        switch (call) {
            case CREATE, CREATE_FILE, CREATE_FAVORED_NODES -> made.add(path);
            case CREATE_NON_RECURSIVE -> {
                needsDirectory(parent(path));
                made.add(path);
            }
            case MKDIRS -> made.add(path);
            case RENAME -> rename(event, path);
            case DELETE -> {
                if (event.result() != 0) {
                    needs(path, 0);
                    forget(path);
                }
            }
            case LIST_STATUS, LIST_STATUS_BATCH, LIST_STATUS_ITERATOR, LIST_LOCATED_STATUS, LIST_FILES ->
                needsDirectory(path);
            case EXISTS, IS_FILE -> {
                if (event.result() == 1) {
                    needs(path, 0);
                }
            }
            case IS_DIRECTORY -> {
                if (event.result() == 1) {
                    needsDirectory(path);
                }
            }
            case OPEN, OPEN_FILE, OPEN_PATH_HANDLE -> needs(path, Math.max(0, event.result()));
            default -> {
                if (HadoopCalls.needsFile(call)) {
                    needs(path, 0);
                }
            }
        }
    }

    private void rename(TraceEvent event, String from) {
        String to = event.target();
        if (event.result() == 0 || to.isEmpty()) {
            return;
        }
        needs(from, 0);
        TreeSet<String> moved = new TreeSet<>(below(from));
        forget(from);
        for (String path : moved) {
            made.add(to + path.substring(from.length()));
        }
        moves.push(new Move(from, to));
        original.clear();
    }

    private Set<String> below(String path) {
        Set<String> found = new TreeSet<>(made.subSet(path + "/", path + "0"));
        if (made.contains(path)) {
            found.add(path);
        }
        return found;
    }

    private void forget(String path) {
        made.removeAll(below(path));
        original.clear();
    }

    private void needs(String path, long length) {
        if (!made.contains(path) && below(path).isEmpty()) {
            files.merge(nameAtTheStart(path), length, Math::max);
        }
    }

    private void needsDirectory(String path) {
        if (!made.contains(path)) {
            directories.add(nameAtTheStart(path));
        }
    }

    private String nameAtTheStart(String path) {
        return original.computeIfAbsent(path, current -> {
            String name = current;
            for (Move move : moves) {
                if (name.equals(move.to()) || name.startsWith(move.to() + "/")) {
                    name = move.from() + name.substring(move.to().length());
                }
            }
            return name;
        });
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /** Returns the directories to make. */
    Set<String> directories() {
        Set<String> all = new TreeSet<>(directories);
        files.keySet().stream().filter(this::isDirectory).forEach(all::add);
        return all;
    }

    /** Returns the files to make, with their lengths. */
    Map<String, Long> files() {
        Map<String, Long> plain = new TreeMap<>();
        files.forEach((path, length) -> {
            if (!isDirectory(path)) {
                plain.put(path, length);
            }
        });
        return plain;
    }

    private boolean isDirectory(String path) {
        String next = files.higherKey(path + "/");
        return path.equals("/") || directories.contains(path) || (next != null && next.startsWith(path + "/"));
    }
}
