// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;

/** A native library's store, unguarded: {@link GuardedStore} prevents its use after its close. */
interface StoreEngine extends StoreReads {
    void write(WriteBatch batch, boolean fsync) throws IOException;

    View view() throws IOException;

    void close() throws IOException;

    /** The entries of one moment. */
    interface View extends StoreReads {
        void close();
    }
}
