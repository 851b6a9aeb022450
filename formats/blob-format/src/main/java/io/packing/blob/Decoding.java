package io.packing.blob;

import java.util.Optional;

/**
 * What an extent is decoded with, beside its own bytes.
 *
 * @param fileId of the content that it is of
 * @param key of the blob, if that is encrypted
 * @param dictionary of the blob, if the extent needs one
 */
public record Decoding(long fileId, Optional<BlobKey> key, Optional<Dictionary> dictionary) {
    /** Of an extent that needs nothing. */
    static final Decoding NONE = new Decoding(0, Optional.empty(), Optional.empty());

    /** Of an extent of a blob that is not encrypted. */
    static Decoding with(Optional<Dictionary> dictionary) {
        return new Decoding(0, Optional.empty(), dictionary);
    }

    /** The same for another content. */
    public Decoding of(long otherId) {
        return new Decoding(otherId, key, dictionary);
    }
}
