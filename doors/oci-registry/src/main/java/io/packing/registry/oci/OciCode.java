// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.oci;

/** The error codes of the distribution specification, with the HTTP status that usually goes with each. */
public enum OciCode {
    BLOB_UNKNOWN(404),
    BLOB_UPLOAD_INVALID(400),
    BLOB_UPLOAD_UNKNOWN(404),
    DIGEST_INVALID(400),
    MANIFEST_BLOB_UNKNOWN(404),
    MANIFEST_INVALID(400),
    MANIFEST_UNKNOWN(404),
    NAME_INVALID(400),
    NAME_UNKNOWN(404),
    SIZE_INVALID(400),
    UNAUTHORIZED(401),
    DENIED(403),
    UNSUPPORTED(405);

    private final int status;

    OciCode(int status) {
        this.status = status;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }
}
