// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.util.Optional;

/**
 * The data that the decoding of an extent needs beside the extent's bytes.
 *
 * @param fileId of the extent's content
 * @param key of the blob, if the blob is encrypted
 * @param dictionary of the blob, if the extent needs one
 */
public record Decoding(long fileId, Optional<BlobKey> key, Optional<Dictionary> dictionary) {
    /** The decoding of an extent that needs no such data. */
    static final Decoding NONE = new Decoding(0, Optional.empty(), Optional.empty());

    /** Returns the decoding of an extent of a blob that is not encrypted. */
    static Decoding with(Optional<Dictionary> dictionary) {
        return new Decoding(0, Optional.empty(), dictionary);
    }

    /** Returns this decoding for another content. */
    public Decoding of(long otherId) {
        return new Decoding(otherId, key, dictionary);
    }
}
