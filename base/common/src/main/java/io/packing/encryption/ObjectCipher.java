// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The cipher of the parts of one object, with a key of its own: HMAC-SHA-256 of the object's purpose and a salt, by the
 * data key. A nonce is the kind of a part and its place, so a writer must encrypt each place once. Thread-safe.
 */
public final class ObjectCipher {
    /** The bytes by which each part gets longer. */
    public static final int TAG_BYTES = Gcm.TAG_BYTES;

    /** The most bytes of a {@link #record}. */
    public static final int MAX_RECORD = KeyRecord.MAX_BYTES;

    /** The fewest bytes of a {@link #record}. */
    public static final int LEAST_RECORD = KeyRecord.LEAST_BYTES;

    private static final int NONCE_BYTES = 12;
    private static final byte[] NOTHING = new byte[0];

    private final SecretKey key;
    private final WrappedKey wrapped;
    private final byte[] record;
    /** The idle ciphers: making one takes as long as encrypting a small file. */
    private final ConcurrentLinkedQueue<Cipher> ciphers = new ConcurrentLinkedQueue<>();

    /** The purposes of an object. */
    public enum Purpose {
        BLOB("packing blob 1"),
        ROWS("packing rows 1");

        private final String label;

        Purpose(String label) {
            this.label = label;
        }
    }

    /** The kinds of encrypted parts; the number is the first half of the nonce. */
    public enum Part {
        CHECK(0),
        EXTENT(1),
        FOOTER(2),
        DICTIONARY(3),
        PIECE(4);

        private final int number;

        Part(int number) {
            this.number = number;
        }
    }

    private ObjectCipher(SecretKey key, WrappedKey wrapped, byte[] record) {
        this.key = key;
        this.wrapped = wrapped;
        this.record = record;
    }

    /** Begins the cipher of a new object; its key belongs to this attempt alone. */
    static ObjectCipher begin(DataKey data, Purpose purpose) {
        byte[] salt = RandomBytes.bytes(KeyRecord.SALT_BYTES);
        SecretKey key = derive(data.secret(), purpose, salt);
        byte[] unchecked = KeyRecord.unchecked(salt, data.wrapped());
        byte[] check = check(key, unchecked);
        byte[] record = Arrays.copyOf(unchecked, unchecked.length + check.length);
        System.arraycopy(check, 0, record, unchecked.length, check.length);
        return new ObjectCipher(key, data.wrapped(), record);
    }

    /**
     * Opens the cipher of an existing object.
     *
     * @param record from {@link #record}
     * @return empty when these bytes are no record, or have changed since the write
     * @throws KeyUnavailableException when the key is missing, or is another one
     */
    public static Optional<ObjectCipher> open(Keystore keystore, Purpose purpose, byte[] record) throws IOException {
        Optional<KeyRecord> decoded = KeyRecord.decode(record);
        if (decoded.isEmpty()) {
            return Optional.empty();
        }
        SecretKey data = keystore.unwrap(decoded.get().wrapped());
        SecretKey key = derive(data, purpose, decoded.get().salt());
        byte[] unchecked = Arrays.copyOf(record, record.length - TAG_BYTES);
        return isChecked(key, unchecked, decoded.get().check())
                ? Optional.of(new ObjectCipher(key, decoded.get().wrapped(), record.clone()))
                : Optional.empty();
    }

    /** Checks a record by decryption: a reader never encrypts, not even equal bytes again. */
    private static boolean isChecked(SecretKey key, byte[] unchecked, byte[] check) {
        try {
            return Gcm.decrypt(key, nonce(Part.CHECK, 0), unchecked, check).length == 0;
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a record cannot be checked", e);
        }
    }

    private static SecretKey derive(SecretKey data, Purpose purpose, byte[] salt) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(data.getEncoded(), "HmacSHA256"));
            mac.update(purpose.label.getBytes(StandardCharsets.US_ASCII));
            return new SecretKeySpec(mac.doFinal(salt), "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no HMAC-SHA-256", e);
        }
    }

    private static byte[] check(SecretKey key, byte[] unchecked) {
        try {
            return Gcm.encrypt(key, nonce(Part.CHECK, 0), unchecked, NOTHING);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a record cannot be checked", e);
        }
    }

    private static byte[] nonce(Part part, long place) {
        return ByteBuffer.allocate(NONCE_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(part.number)
                .putLong(place)
                .array();
    }

    /** Returns the description of its key for the object. */
    public byte[] record() {
        return record.clone();
    }

    /** Returns the wrapped data key. */
    public WrappedKey wrapped() {
        return wrapped;
    }

    /**
     * Encrypts all remaining bytes, without moving the buffer.
     *
     * @param place at which this object has no encrypted part yet
     * @param associated data that the reader has to know, too
     */
    public ByteBuffer encrypt(Part part, long place, byte[] associated, ByteBuffer plain) {
        ByteBuffer encrypted = ByteBuffer.allocate(plain.remaining() + TAG_BYTES);
        encrypt(part, place, associated, plain, encrypted);
        return encrypted.flip();
    }

    /**
     * Encrypts all remaining bytes, without moving the buffer, into another one.
     *
     * @param place at which this object has no encrypted part yet
     * @param associated data that the reader has to know, too
     * @param into gets the bytes and moves; the cipher is fastest where both buffers have arrays
     */
    public void encrypt(Part part, long place, byte[] associated, ByteBuffer plain, ByteBuffer into) {
        try {
            run(Cipher.ENCRYPT_MODE, nonce(part, place), associated, plain, into);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("%d bytes cannot be encrypted".formatted(plain.remaining()), e);
        }
    }

    /**
     * Decrypts all remaining bytes, without moving the buffer.
     *
     * @throws AEADBadTagException when they were not encrypted as this part, at this place, with this associated data
     */
    public ByteBuffer decrypt(Part part, long place, byte[] associated, ByteBuffer encrypted)
            throws AEADBadTagException {
        if (encrypted.remaining() < TAG_BYTES) {
            throw new AEADBadTagException("%d bytes are too few".formatted(encrypted.remaining()));
        }
        ByteBuffer plain = ByteBuffer.allocate(encrypted.remaining() - TAG_BYTES);
        try {
            run(Cipher.DECRYPT_MODE, nonce(part, place), associated, encrypted, plain);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("%d bytes cannot be decrypted".formatted(encrypted.remaining()), e);
        }
        return plain.flip();
    }

    private void run(int mode, byte[] nonce, byte[] associated, ByteBuffer from, ByteBuffer to)
            throws GeneralSecurityException {
        Cipher idle = ciphers.poll();
        Cipher cipher = idle == null ? Gcm.cipher() : idle;
        cipher.init(mode, key, Gcm.parameters(nonce));
        cipher.updateAAD(associated);
        cipher.doFinal(from.duplicate(), to);
        // A failed cipher is not used again.
        ciphers.add(cipher);
    }
}
