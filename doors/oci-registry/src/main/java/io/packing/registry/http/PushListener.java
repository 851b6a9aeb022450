// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.oci.Digest;

/** Learns of pushes, once they are visible. Calls return at once, and throw nothing. Thread-safe. */
public interface PushListener {
    /**
     * Notes a blob that was not there before.
     *
     * @param repository to which it was pushed
     */
    void blob(String repository, Digest digest);

    /** Notes a manifest, also one that was there before. */
    void manifest(String repository, Digest digest);
}
