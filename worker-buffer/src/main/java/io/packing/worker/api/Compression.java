// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.Codec;

/** The way a mount stores its files in blobs. */
public enum Compression {
    /** No compression. */
    NONE,
    /** DEFLATE of each file by itself, when a client writes it. */
    DEFLATE,
    /** Zstandard when the worker makes a blob, with a dictionary of the blob's own files where it saves space. */
    ZSTD;

    /** Returns the codec of a file in the buffer. */
    public Codec whenBuffered() {
        return this == DEFLATE ? Codec.DEFLATE : Codec.NONE;
    }
}
