package io.packing.bdt.master.tokens;

import io.packing.durable.DurableDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where an authority keeps what it must not forget: small texts with names, each written whole. One master has files, a group of masters
 * has entries of its log. Thread-safe.
 */
public interface TokenTexts {
    /** Counts the changes; whoever keeps what was read reads again when it is another number. Cheap. */
    long version();

    /** Whether this master may change them at the moment. */
    boolean mayChange();

    /** A text; empty: it was never written. */
    Optional<String> read(String name) throws IOException;

    /**
     * Writes a text, which outlives a loss of power when this returns, and makes the version one larger.
     *
     * @param before the version that the text follows from; the call fails when there is a later one
     */
    void write(String name, String text, long before) throws IOException;

    /** Where a text is, for messages. */
    String where(String name);

    /**
     * Files of one master.
     *
     * @param directory made when it is not there, for the user of the process only
     */
    static TokenTexts in(Path directory) throws IOException {
        return new TokenFiles(DurableDirectory.create(directory));
    }
}
