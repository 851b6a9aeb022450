// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

/** The place where the bytes of small files wait. */
public enum BufferValues {
    /** Append-only files, which become blobs without a second copy. */
    SEGMENT,
    /** The sorted store, under sequence keys, as in the paper (§7.2). */
    STORE
}
