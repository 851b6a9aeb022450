// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import io.packing.s3gateway.protocol.S3Exception;

/** The way in which a signature covers the body of a request. */
public sealed interface Payload {
    /** The name of the header with the hash of a body, or a word in its place. */
    String HEADER = "x-amz-content-sha256";

    String UNSIGNED = "UNSIGNED-PAYLOAD";

    /** A body whose hash is signed. */
    record Hashed(String sha256) implements Payload {}

    /** A body that the signature does not cover. */
    record Unsigned() implements Payload {}

    /**
     * A body in chunks.
     *
     * @param isSigned true if each chunk has a signature
     * @param hasTrailer true if headers follow the last chunk
     */
    record Chunked(boolean isSigned, boolean hasTrailer) implements Payload {}

    /** Reads the header. */
    static Payload of(String header) throws S3Exception {
        return switch (header) {
            case UNSIGNED -> new Unsigned();
            case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" -> new Chunked(true, false);
            case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" -> new Chunked(true, true);
            case "STREAMING-UNSIGNED-PAYLOAD-TRAILER" -> new Chunked(false, true);
            default -> {
                if (!header.matches("[0-9a-f]{64}")) {
                    throw S3Exception.argument(
                            "%s is '%.60s': want 64 hexadecimal digits, %s, or a form of STREAMING with AWS4-HMAC-SHA256"
                                    .formatted(HEADER, header, UNSIGNED));
                }
                yield new Hashed(header);
            }
        };
    }
}
