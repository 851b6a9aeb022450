// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import io.packing.registry.dedup.LayerTar;

/** The bytes of an entry of a layer. */
sealed interface EntryBody {
    /** None: a directory, or a file without bytes. */
    EntryBody NONE = new Inline(new byte[0]);

    /** Bytes that are in the tar itself, or that stand for a link or a device. */
    final class Inline implements EntryBody {
        private final byte[] bytes;

        /** @param bytes the caller changes them no more */
        Inline(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /**
     * A content that is stored by its hash; see {@link LayerTar#content}.
     *
     * @param hex its SHA-256
     */
    record Shared(String hex) implements EntryBody {}
}
