package io.packing.worker.api;

import io.packing.blob.Codec;

/** How a mount's files are stored in blobs. */
public enum Compression {
    /** As they are. */
    NONE,
    /** By DEFLATE, each file by itself, when it is written. */
    DEFLATE,
    /** By Zstandard, when a blob is made, with a dictionary of the blob's own files where it pays. */
    ZSTD;

    /** How a file is stored in the buffer. */
    public Codec whenBuffered() {
        return this == DEFLATE ? Codec.DEFLATE : Codec.NONE;
    }
}
