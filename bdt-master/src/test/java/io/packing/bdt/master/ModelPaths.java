// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import java.util.Map;
import java.util.TreeMap;

/** Paths of a model, which are text. */
final class ModelPaths {
    private ModelPaths() {}

    static String parent(String path) {
        return path.lastIndexOf('/') == 0 ? "/" : path.substring(0, path.lastIndexOf('/'));
    }

    /** Returns whether a path is a tree's top, or below it. */
    static boolean isIn(String tree, String path) {
        return path.equals(tree) || path.startsWith(tree + "/");
    }

    /** Gives all entries of a tree other paths. */
    static <V> void move(Map<String, V> entries, String from, String to) {
        Map<String, V> moved = new TreeMap<>();
        entries.forEach((path, value) -> {
            if (isIn(from, path)) {
                moved.put(to + path.substring(from.length()), value);
            }
        });
        entries.keySet().removeIf(path -> isIn(from, path));
        entries.putAll(moved);
    }
}
