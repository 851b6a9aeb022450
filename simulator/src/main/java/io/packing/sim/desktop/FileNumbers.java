// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.desktop;

import java.util.Map;
import java.util.TreeMap;

/** Numbers for files, which keep them through renames. No file has the number 0. Confined to one thread. */
final class FileNumbers {
    /** A file: its number, and its length as far as the trace shows it. */
    static final class Known {
        final int number;
        long length;
        /** The bytes written since the file was last stored. */
        long unstored;

        private Known(int number) {
            this.number = number;
        }
    }

    private final TreeMap<String, Known> names = new TreeMap<>();
    private int last;

    Known at(String path) {
        return names.computeIfAbsent(path, name -> new Known(++last));
    }

    /** Removes a name; returns its file, or a new file if the name was unknown. */
    Known remove(String path) {
        Known known = names.remove(path);
        return known == null ? new Known(++last) : known;
    }

    boolean knows(String path) {
        return names.containsKey(path);
    }

    /** Renames a file, or a directory with all files in it. */
    void rename(String from, String to) {
        Known moved = names.remove(from);
        Map<String, Known> below = new TreeMap<>(names.subMap(from + "/", from + "0"));
        names.subMap(from + "/", from + "0").clear();
        if (moved != null) {
            names.put(to, moved);
        }
        below.forEach((name, known) -> names.put(to + name.substring(from.length()), known));
    }
}
