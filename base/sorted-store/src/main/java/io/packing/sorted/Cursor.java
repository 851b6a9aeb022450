package io.packing.sorted;

/**
 * A position in a snapshot of a store. Starts before the first entry:
 * {@code while (cursor.next()) use(cursor.key(), cursor.value())}. Confined to one thread.
 */
public interface Cursor extends AutoCloseable {
    /**
     * Moves to the next entry; false at the end.
     *
     * @throws java.io.UncheckedIOException when what is stored cannot be read: the scan lacks entries
     */
    boolean next();

    byte[] key();

    byte[] value();

    @Override
    void close();
}
