// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The files that a trace reads and did not write: they have to be there before it, with the length that it reads. */
public final class PreparedFiles implements FileActions.Target {
    private final Set<String> written = new HashSet<>();
    /** The names at the start of files that the trace renamed. */
    private final Map<String, String> first = new HashMap<>();

    private final TreeMap<String, Long> needed = new TreeMap<>();

    @Override
    public void write(String host, String path, long size) {
        written.add(path);
    }

    @Override
    public void read(String host, String path, long offset, long length) {
        if (!written.contains(path)) {
            needed.merge(first.getOrDefault(path, path), Math.max(0, offset) + length, Math::max);
        }
    }

    @Override
    public void rename(String from, String to) {
        Map<String, Boolean> moved = new HashMap<>();
        written.forEach(path -> moved.put(path, true));
        FileActions.move(moved, from, to);
        boolean known = !moved.keySet().equals(written);
        written.clear();
        written.addAll(moved.keySet());
        if (!known) {
            first.put(to, first.getOrDefault(from, from));
        }
    }

    @Override
    public void delete(String path) {
        written.remove(path);
    }

    @Override
    public void makeDirectory(String path) {
        // Parents are made with their files.
    }

    /** Returns the files with their lengths, by name. */
    public Map<String, Long> files() {
        Map<String, Long> files = new TreeMap<>();
        needed.forEach((path, length) -> {
            // A name that is a directory's, too, was read under another file's name.
            String below = needed.higherKey(path + "/");
            if (below == null || !below.startsWith(path + "/")) {
                files.put(path, length);
            }
        });
        return files;
    }
}
