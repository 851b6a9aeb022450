// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The description of an encrypted object's key: docs/blob-format.md, section 9.1.
 *
 * <pre>
 * 0 algorithm, 1   1:33 salt   33 wrapping
 * then, each behind its length in two bytes: name, version, wrapped key; at last 16 bytes of the check         little-endian
 * </pre>
 */
final class KeyRecord {
    /** The most bytes of a record. */
    static final int MAX_BYTES = 4_096;

    static final int LEAST_BYTES = 1 + 32 + 1 + 2 + 1 + 2 + 1 + 2 + 1 + 16;
    static final int SALT_BYTES = 32;

    private static final int AES_256_GCM = 1;

    private final byte[] salt;
    private final WrappedKey wrapped;
    private final byte[] check;

    private KeyRecord(byte[] salt, WrappedKey wrapped, byte[] check) {
        this.salt = salt;
        this.wrapped = wrapped;
        this.check = check;
    }

    byte[] salt() {
        return salt;
    }

    WrappedKey wrapped() {
        return wrapped;
    }

    byte[] check() {
        return check;
    }

    /** Returns the bytes without those of the check. */
    static byte[] unchecked(byte[] salt, WrappedKey wrapped) {
        byte[] name = wrapped.name().getBytes(StandardCharsets.US_ASCII);
        byte[] version = wrapped.version().getBytes(StandardCharsets.US_ASCII);
        byte[] key = wrapped.copy();
        ByteBuffer out = ByteBuffer.allocate(1 + SALT_BYTES + 1 + 6 + name.length + version.length + key.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) AES_256_GCM).put(salt).put((byte) wrapped.wrapping());
        for (byte[] each : new byte[][] {name, version, key}) {
            out.putShort((short) each.length).put(each);
        }
        return out.array();
    }

    /** Reads a record that takes all of the bytes; empty when they are none. */
    static Optional<KeyRecord> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < LEAST_BYTES || bytes.length > MAX_BYTES || in.get() != AES_256_GCM) {
            return Optional.empty();
        }
        byte[] salt = new byte[SALT_BYTES];
        in.get(salt);
        int wrapping = in.get() & 0xff;
        Optional<byte[]> name = part(in);
        Optional<byte[]> version = name.flatMap(unused -> part(in));
        Optional<byte[]> key = version.flatMap(unused -> part(in));
        if (key.isEmpty() || in.remaining() != Gcm.TAG_BYTES) {
            return Optional.empty();
        }
        byte[] check = new byte[Gcm.TAG_BYTES];
        in.get(check);
        try {
            WrappedKey wrapped =
                    new WrappedKey(wrapping, text(name.get()), text(version.get()), ByteBuffer.wrap(key.get()));
            return Optional.of(new KeyRecord(salt, wrapped, check));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> part(ByteBuffer in) {
        if (in.remaining() < 2) {
            return Optional.empty();
        }
        int length = in.getShort() & 0xffff;
        if (length > in.remaining()) {
            return Optional.empty();
        }
        byte[] part = new byte[length];
        in.get(part);
        return Optional.of(part);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
