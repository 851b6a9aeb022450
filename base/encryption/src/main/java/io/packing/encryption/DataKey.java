package io.packing.encryption;

import javax.crypto.SecretKey;

/**
 * A key that objects' keys are made of.
 *
 * @param secret 256 bits; never stored
 * @param wrapped the same for whoever has the named key
 */
public record DataKey(SecretKey secret, WrappedKey wrapped) {
    /** Bytes of every key. */
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
