// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A data key that may be stored beside its data: encrypted by a version of a named key. Immutable.
 *
 * @param wrapping the way of its encryption: {@link #BY_PACKING} or {@link #BY_HADOOP}
 * @param name of the key that encrypted it
 * @param version of that key, by its whole name: {@code small@1}
 * @param bytes the encrypted key
 */
public record WrappedKey(int wrapping, String name, String version, ByteBuffer bytes) {
    /** The wrapping by AES-256-GCM: nonce, encrypted key and tag; name and version are the associated data. */
    public static final int BY_PACKING = 1;

    /** The wrapping by a {@code KeyProvider} of Hadoop, such as its KMS: initialization vector, encrypted key. */
    public static final int BY_HADOOP = 2;

    static final int MAX_NAME_BYTES = 255;
    static final int MAX_BYTES = 1_024;

    public WrappedKey {
        if (wrapping < 1 || wrapping > 255 || !isName(name) || !isName(version)) {
            throw new IllegalArgumentException(
                    "a wrapped key of wrapping %d, key '%s', version '%s'".formatted(wrapping, name, version));
        }
        if (bytes.remaining() == 0 || bytes.remaining() > MAX_BYTES) {
            throw new IllegalArgumentException("a wrapped key of %d bytes".formatted(bytes.remaining()));
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        bytes = ByteBuffer.wrap(copy).asReadOnlyBuffer();
    }

    /** Returns whether a text can name a key, or a version of one: 1 to 255 visible characters of ASCII. */
    public static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_NAME_BYTES
                && text.chars().allMatch(c -> c > ' ' && c < 127);
    }

    /** Returns a copy of the encrypted key. */
    public byte[] copy() {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }

    @Override
    public String toString() {
        return "%s, wrapped by %d as %d bytes %08x"
                .formatted(version, wrapping, bytes.remaining(), Arrays.hashCode(copy()));
    }
}
