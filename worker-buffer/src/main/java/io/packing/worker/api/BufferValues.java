package io.packing.worker.api;

/** Where the bytes of small files wait. */
public enum BufferValues {
    /** In append-only files that become blobs without a second copy. */
    SEGMENT,
    /** In the engine, under sequence keys, as the paper has them (§7.2). */
    STORE
}
