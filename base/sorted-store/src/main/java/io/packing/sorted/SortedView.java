package io.packing.sorted;

import java.io.IOException;
import java.util.Optional;

/** Entries that can be read: those that a store has, or had at one moment. */
public interface SortedView extends AutoCloseable {
    Optional<byte[]> get(byte[] key) throws IOException;

    /** Entries with {@code from <= key < to}, ascending, as of now; an empty {@code to} is the end. Close it. */
    Cursor scan(byte[] from, byte[] to) throws IOException;

    @Override
    void close() throws IOException;
}
