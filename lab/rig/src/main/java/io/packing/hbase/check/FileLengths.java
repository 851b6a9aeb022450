// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.check;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The files of a file system and their lengths.
 *
 * @param byPath the length of each file by its absolute path
 */
public record FileLengths(Map<String, Long> byPath) {
    private static final String PREFIX = "file ";

    public FileLengths {
        byPath = Map.copyOf(byPath);
    }

    /** Returns the line that a process prints for a file. */
    public static String line(String path, long length) {
        return PREFIX + length + " " + path;
    }

    /** A reader of such lines. It ignores other lines. */
    public static final class Reader implements Consumer<String> {
        private final Map<String, Long> byPath = new TreeMap<>();

        @Override
        public void accept(String line) {
            if (line.startsWith(PREFIX)) {
                String[] words = line.substring(PREFIX.length()).split(" ", 2);
                byPath.put(words[1], Long.parseLong(words[0]));
            }
        }

        public FileLengths lengths() {
            return new FileLengths(byPath);
        }
    }
}
