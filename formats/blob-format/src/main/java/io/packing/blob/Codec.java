// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.util.Optional;

/** The form in which a blob body stores an extent's bytes (blob-format.md, section 2). */
public enum Codec {
    /** Unchanged bytes: stored length equals length. */
    NONE(0, 1),
    /** Raw DEFLATE (RFC 1951). */
    DEFLATE(1, 1),
    /** A frame of Zstandard (RFC 8878). */
    ZSTD(2, 2),
    /** A frame of Zstandard that needs the blob's {@link Dictionary}. */
    ZSTD_DICTIONARY(3, 2),
    /** {@link #NONE}, encrypted by the blob's {@link BlobKey}; the following ones likewise. */
    AES_NONE(4, 3),
    AES_DEFLATE(5, 3),
    AES_ZSTD(6, 3),
    AES_ZSTD_DICTIONARY(7, 3),
    /** The name of an object of others, which has the bytes: see {@link AdoptedObject}. */
    ADOPTED(8, 4);

    private static final int ENCRYPTED = 4;

    private final int number;
    private final int sinceVersion;

    Codec(int number, int sinceVersion) {
        this.number = number;
        this.sinceVersion = sinceVersion;
    }

    /** Returns its number in footers, messages and rows. */
    public int number() {
        return number;
    }

    /** Returns the oldest format version with this codec. */
    int sinceVersion() {
        return sinceVersion;
    }

    /** Returns whether the bytes are encrypted, on top of {@link #plain}. */
    public boolean isEncrypted() {
        return (number & ENCRYPTED) != 0;
    }

    /** Returns this codec without encryption. */
    public Codec plain() {
        return of(number & ~ENCRYPTED);
    }

    /** Returns this codec with encryption. */
    Codec encrypted() {
        return of(number | ENCRYPTED);
    }

    /** Returns the bytes that encryption adds. */
    int tagBytes() {
        return isEncrypted() ? BlobKey.TAG_BYTES : 0;
    }

    /** Returns the codec of a number; empty when this version has none. */
    public static Optional<Codec> byNumber(int number) {
        return switch (number) {
            case 0 -> Optional.of(NONE);
            case 1 -> Optional.of(DEFLATE);
            case 2 -> Optional.of(ZSTD);
            case 3 -> Optional.of(ZSTD_DICTIONARY);
            case 4 -> Optional.of(AES_NONE);
            case 5 -> Optional.of(AES_DEFLATE);
            case 6 -> Optional.of(AES_ZSTD);
            case 7 -> Optional.of(AES_ZSTD_DICTIONARY);
            case 8 -> Optional.of(ADOPTED);
            default -> Optional.empty();
        };
    }

    /**
     * Returns the codec of a number that a program of another version sent or kept.
     *
     * @throws IllegalArgumentException when this version has none
     */
    public static Codec of(int number) {
        return byNumber(number)
                .orElseThrow(() -> new IllegalArgumentException(
                        "an extent has the unknown codec %d: update this program to one that knows it"
                                .formatted(number)));
    }
}
