package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.Optional;

/** Read access to a mount's rows: those of the store, or those as a mutation under way sees them. */
public interface Rows {
    Optional<byte[]> get(byte[] key) throws IOException;

    /** Visits rows with {@code from <= key < to} in order, until told to stop. */
    void scan(byte[] from, byte[] to, Visitor visitor) throws IOException;

    /** Receives rows. */
    interface Visitor {
        /** Whether to go on. */
        boolean row(byte[] key, byte[] value) throws IOException;
    }
}
