// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import com.google.common.hash.HashCode;
import io.packing.blob.FileVersion;

/**
 * The hash of the bytes of a buffered file, which its worker computed after the file was written.
 *
 * @param sha256 of the bytes
 * @param fingerprint of the bytes, as {@link ContentFingerprint} has it
 */
public record NotedContent(FileVersion version, HashCode sha256, int fingerprint) {
    private static final int SHA_256_BITS = 256;

    public NotedContent {
        if (sha256.bits() != SHA_256_BITS) {
            throw new IllegalArgumentException(
                    "a hash of %d bits, SHA-256 has %d".formatted(sha256.bits(), SHA_256_BITS));
        }
    }
}
