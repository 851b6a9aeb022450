package io.packing.registry.http;

import io.packing.registry.oci.Digest;

/** Learns of what was pushed, once it is visible. Calls return at once, and throw nothing. Thread-safe. */
public interface PushListener {
    /**
     * A blob that was not there before.
     *
     * @param repository to which it was pushed
     */
    void blob(String repository, Digest digest);

    /** A manifest, also one that was there before. */
    void manifest(String repository, Digest digest);
}
