// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.security.SecureRandom;

/** A source of unguessable bytes that no other process has: keys, salts and nonces of wrapped keys. */
final class RandomBytes {
    private RandomBytes() {}

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
