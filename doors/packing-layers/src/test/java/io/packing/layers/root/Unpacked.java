// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Trees that are compared with trees on a disk. */
final class Unpacked {
    /** A program that unpacks is done within a day of a test. */
    private static final long NEAR = 86_400;

    private Unpacked() {}

    /**
     * Returns a tree without the times that no layer has given. These are times that a disk took from its clock, of
     * directories that no entry describes or that were changed afterwards, and of the root.
     */
    static Map<String, String> comparable(Map<String, String> tree, Map<String, String> onDisk, Instant now) {
        Map<String, String> all = new TreeMap<>(tree);
        all.replaceAll((path, line) ->
                path.isEmpty() || isClock(onDisk.getOrDefault(path, ""), now) ? withoutTime(line) : line);
        return all;
    }

    /** Returns the lines in which two trees differ. */
    static String differences(Map<String, String> one, Map<String, String> other) {
        StringBuilder all = new StringBuilder();
        Set<String> paths = new TreeSet<>(one.keySet());
        paths.addAll(other.keySet());
        for (String path : paths) {
            String is = one.getOrDefault(path, "none");
            String wanted = other.getOrDefault(path, "none");
            if (!is.equals(wanted)) {
                all.append("%s: is %s, wanted %s%n".formatted(path, is, wanted));
            }
        }
        return all.toString();
    }

    private static boolean isClock(String line, Instant now) {
        if (!line.startsWith("d ")) {
            return false;
        }
        long time = Long.parseLong(line.replaceAll("^.* at (-?[0-9]+)\\..*$", "$1"));
        return Math.abs(time - now.getEpochSecond()) < NEAR;
    }

    private static String withoutTime(String line) {
        return line.replaceAll(" at -?[0-9]+\\.[0-9]+ ", " ");
    }
}
