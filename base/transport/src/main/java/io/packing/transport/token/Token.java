package io.packing.transport.token;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;

/**
 * What a token says: for whom it speaks and until when. Its text is base64url of its bytes, without padding (docs/security.md).
 *
 * @param keyId which key signed it
 * @param sequence tells it from every other token of the master
 * @param issued when, in milliseconds
 * @param end of its life, in milliseconds; it may be refused before, when it was cancelled or not renewed
 * @param user for whom it speaks
 * @param renewer who may renew and cancel it, beside the user; may be empty
 */
public record Token(int keyId, long sequence, Instant issued, Instant end, String user, String renewer) {
    /** The algorithm of its signature. */
    public static final String ALGORITHM = "Ed25519";

    // 0 version   1 kind   2:6 key id   6:14 sequence   14:22 issued, ms   22:30 end, ms   big-endian
    // 30 length of the user, its UTF-8, length of the renewer, its UTF-8, then the signature of all before
    private static final byte VERSION = 1;
    private static final byte DELEGATION = 1;
    private static final int FIXED_BYTES = 30;
    private static final int SIGNATURE_BYTES = 64;
    /** Of a name: its length has one byte. */
    private static final int MOST_NAME_BYTES = 255;

    private static final int MOST_BYTES = FIXED_BYTES + 2 * (1 + MOST_NAME_BYTES) + SIGNATURE_BYTES;

    public Token {
        if (user.isEmpty() || bytes(user).length > MOST_NAME_BYTES || bytes(renewer).length > MOST_NAME_BYTES) {
            throw new IllegalArgumentException("bad token for '%s', renewed by '%s': want names of 1 to %d bytes"
                    .formatted(user, renewer, MOST_NAME_BYTES));
        }
        if (!end.isAfter(issued)) {
            throw new IllegalArgumentException("a token from %s to %s".formatted(issued, end));
        }
    }

    /** Its text, which whoever has it may use. */
    public String sign(PrivateKey key) {
        byte[] said = encode();
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(said);
            byte[] all = ByteBuffer.allocate(said.length + SIGNATURE_BYTES)
                    .put(said)
                    .put(signature.sign())
                    .array();
            return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign with " + ALGORITHM, e);
        }
    }

    private byte[] encode() {
        byte[] userBytes = bytes(user);
        byte[] renewerBytes = bytes(renewer);
        return ByteBuffer.allocate(FIXED_BYTES + 2 + userBytes.length + renewerBytes.length)
                .put(VERSION)
                .put(DELEGATION)
                .putInt(keyId)
                .putLong(sequence)
                .putLong(issued.toEpochMilli())
                .putLong(end.toEpochMilli())
                .put((byte) userBytes.length)
                .put(userBytes)
                .put((byte) renewerBytes.length)
                .put(renewerBytes)
                .array();
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** A token as it came, whose signature is still to be checked. */
    record Signed(Token token, ByteBuffer said, ByteBuffer signature) {}

    static Signed parse(String text) throws InvalidTokenException {
        // Four characters are three bytes.
        if (text.length() > MOST_BYTES * 4 / 3 + 3) {
            throw new InvalidTokenException("the token is too long");
        }
        try {
            ByteBuffer all = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            byte version = all.get();
            byte kind = all.get();
            if (version != VERSION || kind != DELEGATION) {
                throw new InvalidTokenException(
                        "the token is of version %d and kind %d, want 1 and 1".formatted(version, kind));
            }
            Token token = new Token(
                    all.getInt(),
                    all.getLong(),
                    Instant.ofEpochMilli(all.getLong()),
                    Instant.ofEpochMilli(all.getLong()),
                    name(all),
                    name(all));
            int end = all.position();
            if (all.remaining() != SIGNATURE_BYTES) {
                throw new InvalidTokenException("the token is damaged");
            }
            return new Signed(token, all.slice(0, end), all.slice(end, SIGNATURE_BYTES));
        } catch (IllegalArgumentException | BufferUnderflowException | CharacterCodingException e) {
            throw new InvalidTokenException("the token is damaged");
        }
    }

    private static String name(ByteBuffer from) throws CharacterCodingException {
        int length = Byte.toUnsignedInt(from.get());
        byte[] name = new byte[length];
        from.get(name);
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    }
}
