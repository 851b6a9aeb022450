package io.packing.blob;

import java.util.Optional;

/** How an extent's bytes are stored in a blob body (blob-format.md, section 2). */
public enum Codec {
    /** As they are: stored length equals length. */
    NONE(0, 1),
    /** Raw DEFLATE (RFC 1951). */
    DEFLATE(1, 1),
    /** A frame of Zstandard (RFC 8878). */
    ZSTD(2, 2),
    /** A frame of Zstandard that needs the blob's {@link Dictionary}. */
    ZSTD_DICTIONARY(3, 2);

    private final int number;
    private final int sinceVersion;

    Codec(int number, int sinceVersion) {
        this.number = number;
        this.sinceVersion = sinceVersion;
    }

    /** Its number in footers, messages and rows. */
    public int number() {
        return number;
    }

    /** The oldest format version that knows it. */
    int sinceVersion() {
        return sinceVersion;
    }

    /** The codec of a number; empty: there is none yet. */
    public static Optional<Codec> byNumber(int number) {
        return switch (number) {
            case 0 -> Optional.of(NONE);
            case 1 -> Optional.of(DEFLATE);
            case 2 -> Optional.of(ZSTD);
            case 3 -> Optional.of(ZSTD_DICTIONARY);
            default -> Optional.empty();
        };
    }

    /**
     * The codec of a number that a program of another version sent or kept.
     *
     * @throws IllegalArgumentException when there is none yet
     */
    public static Codec of(int number) {
        return byNumber(number)
                .orElseThrow(() -> new IllegalArgumentException(
                        "an extent has the unknown codec %d: update this program to one that knows it"
                                .formatted(number)));
    }
}
