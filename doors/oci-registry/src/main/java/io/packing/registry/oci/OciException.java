// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.oci;

import java.util.Optional;

/** A request that is answered with an error of the specification; nothing has changed. */
public final class OciException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final int TOO_LARGE = 413;

    private final OciCode code;
    private final int status;
    /** Serializable, as exceptions are; empty: none. */
    private final String location;
    /** The bytes of the blob, when a range of it was requested; -1: none was. */
    private final long length;

    private OciException(OciCode code, int status, String message, String location, long length) {
        super(message);
        this.code = code;
        this.status = status;
        this.location = location;
        this.length = length;
    }

    public OciException(OciCode code, String message) {
        this(code, code.status(), message, "", -1);
    }

    /** Returns the refusal of a range beyond a blob of so many bytes. */
    public static OciException beyond(long length, String message) {
        return new OciException(OciCode.SIZE_INVALID, RANGE_NOT_SATISFIABLE, message, "", length);
    }

    /**
     * Returns the refusal of a chunk at the wrong place, with the address that knows the right one, if there is one.
     */
    public static OciException range(OciCode code, String message, String location) {
        return new OciException(code, RANGE_NOT_SATISFIABLE, message, location, -1);
    }

    /** Returns the refusal of too many bytes. */
    public static OciException tooLarge(OciCode code, String message) {
        return new OciException(code, TOO_LARGE, message, "", -1);
    }

    public OciCode code() {
        return code;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the {@code Content-Range} of an answer to a range that has no byte of the blob. */
    public Optional<String> contentRange() {
        return length < 0 ? Optional.empty() : Optional.of("bytes */" + length);
    }

    /** Returns the address at which the client goes on. */
    public Optional<String> location() {
        return location.isEmpty() ? Optional.empty() : Optional.of(location);
    }
}
