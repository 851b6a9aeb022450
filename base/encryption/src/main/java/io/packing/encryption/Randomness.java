package io.packing.encryption;

import java.security.SecureRandom;

/** A source of unguessable bytes that no other process has: keys, salts and nonces of wrapped keys. */
final class Randomness {
    private Randomness() {}

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
