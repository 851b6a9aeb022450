// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.token;

import io.packing.buffers.Slices;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * A token's content: the user that it speaks for, and its time. Its text is base64url of its bytes, without padding
 * (docs/security.md).
 *
 * @param keyId the key that signed it
 * @param sequence distinguishes it from every other token of the master
 * @param issued its begin, in milliseconds
 * @param end its end, in milliseconds; a server refuses it earlier when it was cancelled or not renewed
 * @param user the user that it speaks for
 * @param kind its purpose
 * @param renewer may renew and cancel it, like the user; may be empty
 * @param via the process that acts for the user; empty when the user acts alone
 */
public record Token(
        Kind kind, int keyId, long sequence, Instant issued, Instant end, String user, String renewer, String via) {
    /** The algorithm of its signature. */
    public static final String ALGORITHM = "Ed25519";

    /** A token's purpose. */
    public enum Kind {
        /** Lets a job act as its user. The master keeps a row of it, renews and cancels it. */
        DELEGATION(1),
        /** The master's answer to a Kerberos ticket, for the process that has it. Only its end ends it. */
        SESSION(2);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    // 0 version   1 kind   2:6 key id   6:14 sequence   14:22 issued, ms   22:30 end, ms   big-endian
    // 30 then the names, each as its length and its UTF-8: user, renewer, and in version 2 via;
    // at last the signature of all these bytes. Version 1 has the kind 1 only.
    private static final byte VERSION = 1;
    private static final byte VERSION_WITH_VIA = 2;
    private static final int FIXED_BYTES = 30;
    private static final int SIGNATURE_BYTES = 64;
    /** The longest name: its length has one byte. */
    private static final int MOST_NAME_BYTES = 255;

    private static final int MOST_BYTES = FIXED_BYTES + 3 * (1 + MOST_NAME_BYTES) + SIGNATURE_BYTES;

    public Token {
        if (user.isEmpty() || Stream.of(user, renewer, via).anyMatch(name -> bytes(name).length > MOST_NAME_BYTES)) {
            throw new IllegalArgumentException("bad token for '%s', renewed by '%s': want names of 1 to %d bytes"
                    .formatted(user, renewer, MOST_NAME_BYTES));
        }
        if (!end.isAfter(issued)) {
            throw new IllegalArgumentException("a token from %s to %s".formatted(issued, end));
        }
    }

    /** Makes a token of a job that acts for its user alone. */
    public static Token ofJob(int keyId, long sequence, Instant issued, Instant end, String user, String renewer) {
        return new Token(Kind.DELEGATION, keyId, sequence, issued, end, user, renewer, "");
    }

    /** Signs the token. Returns its text, which any holder may use. */
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
        // Older workers know version 1 only.
        boolean first = kind == Kind.DELEGATION && via.isEmpty();
        List<byte[]> names = Stream.of(user, renewer, via)
                .limit(first ? 2 : 3)
                .map(Token::bytes)
                .toList();
        ByteBuffer all = ByteBuffer.allocate(FIXED_BYTES
                        + names.stream().mapToInt(name -> 1 + name.length).sum())
                .put(first ? VERSION : VERSION_WITH_VIA)
                .put(kind.code)
                .putInt(keyId)
                .putLong(sequence)
                .putLong(issued.toEpochMilli())
                .putLong(end.toEpochMilli());
        names.forEach(name -> all.put((byte) name.length).put(name));
        return all.array();
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** A parsed token whose signature is still unchecked. */
    record Signed(Token token, ByteBuffer said, ByteBuffer signature) {}

    /** Returns the id of the key that signed a token, according to the token: nothing is checked. */
    public static int keyIdOf(String text) throws InvalidTokenException {
        return parse(text).token().keyId();
    }

    static Signed parse(String text) throws InvalidTokenException {
        // Four characters are three bytes.
        if (text.length() > MOST_BYTES * 4 / 3 + 3) {
            throw new InvalidTokenException("the token is too long");
        }
        try {
            ByteBuffer all = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            byte version = all.get();
            byte code = all.get();
            boolean known = (version == VERSION && code == Kind.DELEGATION.code)
                    || (version == VERSION_WITH_VIA && (code == Kind.DELEGATION.code || code == Kind.SESSION.code));
            if (!known) {
                throw new InvalidTokenException(
                        "the token is of version %d and kind %d, want versions 1 and 2, kinds 1 and 2"
                                .formatted(version, code));
            }
            Token token = new Token(
                    code == Kind.SESSION.code ? Kind.SESSION : Kind.DELEGATION,
                    all.getInt(),
                    all.getLong(),
                    Instant.ofEpochMilli(all.getLong()),
                    Instant.ofEpochMilli(all.getLong()),
                    name(all),
                    name(all),
                    version == VERSION ? "" : name(all));
            int end = all.position();
            if (all.remaining() != SIGNATURE_BYTES) {
                throw new InvalidTokenException("the token is damaged");
            }
            return new Signed(token, Slices.of(all, 0, end), Slices.of(all, end, SIGNATURE_BYTES));
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
