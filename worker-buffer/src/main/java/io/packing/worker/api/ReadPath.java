// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

/** Ways of a client to the bytes in blobs. */
public enum ReadPath {
    /** The client reads blobs itself where the master names their places. */
    STORE,
    /** Workers read blobs for the client. */
    WORKERS
}
