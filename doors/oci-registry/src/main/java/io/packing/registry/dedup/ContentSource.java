// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Reads the contents of files. Thread-safe. */
public interface ContentSource {
    /**
     * Wanted bytes of a content, and their place in an array.
     *
     * @param hex the SHA-256 of the content
     * @param length of the content
     * @param from offset in the content
     * @param at offset in the array
     */
    record Wanted(String hex, long length, long from, int count, int at) {}

    /** Returns whether the source uses hints of the contents that are read next. */
    default boolean isTold() {
        return false;
    }

    /**
     * Contents that are about to be read.
     *
     * @param contents their lengths, by hash
     */
    default void expect(Map<String, Long> contents) {}

    /** Reads all of them; {@link java.io.FileNotFoundException} when a content is not there. */
    void read(List<Wanted> wanted, byte[] into) throws IOException;
}
