package io.packing.sorted;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A native library's store, unguarded: {@link GuardedStore} sees to it that it is never used after its close. */
interface StoreEngine {
    byte @Nullable [] get(byte[] key) throws IOException;

    void write(WriteBatch batch, boolean fsync) throws IOException;

    Cursor scan(byte[] from, byte[] to) throws IOException;

    View view() throws IOException;

    void close() throws IOException;

    /** The entries of one moment. */
    interface View {
        byte @Nullable [] get(byte[] key) throws IOException;

        Cursor scan(byte[] from, byte[] to) throws IOException;

        void close();
    }
}
