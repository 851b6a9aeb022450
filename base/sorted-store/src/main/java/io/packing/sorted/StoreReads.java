// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The readable entries of a native library's store, unguarded: the present ones, or those of one moment. */
interface StoreReads {
    byte @Nullable [] get(byte[] key) throws IOException;

    Cursor scan(byte[] from, byte[] to) throws IOException;

    /** Returns a scan for few entries; the store caches the blocks that it reads. */
    default Cursor scanFew(byte[] from, byte[] to) throws IOException {
        return scan(from, to);
    }
}
