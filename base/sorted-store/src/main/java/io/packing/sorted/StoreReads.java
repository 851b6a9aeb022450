package io.packing.sorted;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Entries of a native library's store that can be read, unguarded: those that are there, or those of one moment. */
interface StoreReads {
    byte @Nullable [] get(byte[] key) throws IOException;

    Cursor scan(byte[] from, byte[] to) throws IOException;
}
