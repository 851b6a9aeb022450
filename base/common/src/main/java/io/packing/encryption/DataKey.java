// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import javax.crypto.SecretKey;

/**
 * A key from which objects' keys are derived.
 *
 * @param secret 256 bits; never stored
 * @param wrapped the secret, encrypted by a version of the named key
 */
public record DataKey(SecretKey secret, WrappedKey wrapped) {
    /** The bytes of every key. */
    public static final int BYTES = 32;

    public DataKey {
        if (secret.getEncoded().length != BYTES) {
            throw new IllegalArgumentException(
                    "a data key has %d bytes, not %d".formatted(BYTES, secret.getEncoded().length));
        }
    }

    @Override
    public String toString() {
        return "data key of " + wrapped;
    }
}
