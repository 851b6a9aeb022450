package io.packing.worker.api;

/** Ways of a client to the bytes in blobs. */
public enum ReadThrough {
    /** It reads blobs itself where the master names the place. */
    STORE,
    /** Workers read blobs for it. */
    WORKERS
}
