// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.check;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** A tree of files, which the traced calls change. Confined to one thread. */
final class TracedTree {
    private static final String SEPARATOR = "/";

    private final TreeMap<String, WrittenBytes> files = new TreeMap<>();
    private final TreeSet<String> folders = new TreeSet<>();

    /** Makes a file in place of an earlier one. */
    WrittenBytes create(String path) {
        WrittenBytes file = new WrittenBytes();
        files.put(path, file);
        addFolder(parent(path));
        return file;
    }

    Optional<WrittenBytes> file(String path) {
        return Optional.ofNullable(files.get(path));
    }

    void addFolder(String path) {
        for (String folder = path; !folder.isEmpty() && folders.add(folder); folder = parent(folder)) {
            // The loop adds the folder and those above it.
        }
    }

    /** Removes a file, or a folder with its whole content. */
    void delete(String path) {
        files.remove(path);
        below(files, path).clear();
        folders.remove(path);
        folders.subSet(path + SEPARATOR, path + after(SEPARATOR)).clear();
    }

    /** Moves a file, or a folder with its whole content. If {@code target} is a folder, it moves into it. */
    void rename(String path, String target) {
        if (path.equals(target)) {
            return;
        }
        String to = folders.contains(target) ? target + path.substring(path.lastIndexOf(SEPARATOR)) : target;
        Map<String, WrittenBytes> moved = new HashMap<>();
        below(files, path).forEach((name, file) -> moved.put(to + name.substring(path.length()), file));
        file(path).ifPresent(file -> moved.put(to, file));
        TreeSet<String> movedFolders = new TreeSet<>();
        if (folders.contains(path)) {
            movedFolders.add(to);
        }
        folders.subSet(path + SEPARATOR, path + after(SEPARATOR))
                .forEach(name -> movedFolders.add(to + name.substring(path.length())));
        delete(path);
        delete(to);
        files.putAll(moved);
        movedFolders.forEach(this::addFolder);
        addFolder(parent(to));
    }

    /** Returns every file by its path. */
    Map<String, WrittenBytes> files() {
        return files;
    }

    private static Map<String, WrittenBytes> below(NavigableMap<String, WrittenBytes> files, String folder) {
        return files.subMap(folder + SEPARATOR, folder + after(SEPARATOR));
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf(SEPARATOR)));
    }

    /** Returns the first text in order that does not begin with the separator. */
    private static String after(String separator) {
        return Character.toString(separator.charAt(0) + 1);
    }
}
