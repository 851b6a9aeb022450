package io.packing.blob;

/** How an extent's bytes are stored in a blob body. */
public enum Codec {
    /** As they are: stored length equals length. */
    NONE,
    /** Raw DEFLATE (RFC 1951). */
    DEFLATE
}
