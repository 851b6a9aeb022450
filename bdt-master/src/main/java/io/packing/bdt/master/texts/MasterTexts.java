// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.texts;

import io.packing.durable.DurableDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The durable small texts of a master, by name, each written whole. One master has files, a group of masters has entries of its
 * log. Thread-safe.
 */
public interface MasterTexts {
    /** Counts the changes; a reader with a cached text reads again after the count has changed. Cheap. */
    long version();

    /** Returns whether this master may change the texts at present. */
    boolean mayChange();

    /** A text; empty: it was never written. */
    Optional<String> read(String name) throws IOException;

    /**
     * Writes a text, which outlives a loss of power when this returns, and makes the version one larger.
     *
     * @param before the version that the text follows from; the call fails when there is a later one
     */
    void write(String name, String text, long before) throws IOException;

    /** Returns the place of a text, for messages. */
    String where(String name);

    /**
     * Files of one master.
     *
     * @param directory made when it is not there, for the user of the process only
     */
    static MasterTexts in(Path directory) throws IOException {
        return new TextFiles(DurableDirectory.create(directory));
    }
}
