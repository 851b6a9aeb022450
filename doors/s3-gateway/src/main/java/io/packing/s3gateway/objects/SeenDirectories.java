// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.blob.FilePath;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The directories in which this gateway has put objects lately. It is a hint only: another client may have deleted one since. An object in any
 * other directory would mostly be refused, after its bytes were written for nothing. Thread-safe.
 */
final class SeenDirectories {
    private static final int MOST = 10_000;

    private final Map<FilePath, Boolean> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FilePath, Boolean> eldest) {
            return size() > MOST;
        }
    };

    synchronized boolean has(FilePath directory) {
        return seen.getOrDefault(directory, false);
    }

    synchronized void add(FilePath directory) {
        seen.put(directory, true);
    }

    synchronized void remove(FilePath directory) {
        seen.remove(directory);
    }
}
