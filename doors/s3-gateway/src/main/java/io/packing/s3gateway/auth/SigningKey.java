// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The key that AWS's signature of version 4 derives from a secret for a day, a region and a service. Immutable. */
public final class SigningKey {
    static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String HMAC = "HmacSHA256";

    private final Scope scope;
    private final SecretKeySpec key;

    /**
     * The scope of a key.
     *
     * @param date eight digits
     */
    public record Scope(String date, String region, String service) {
        @Override
        public String toString() {
            return "%s/%s/%s/aws4_request".formatted(date, region, service);
        }
    }

    private SigningKey(Scope scope, byte[] key) {
        this.scope = scope;
        this.key = new SecretKeySpec(key, HMAC);
    }

    public static SigningKey derive(String secret, Scope scope) {
        byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
        for (String part : new String[] {scope.date(), scope.region(), scope.service(), "aws4_request"}) {
            key = hmac(new SecretKeySpec(key, HMAC), part);
        }
        return new SigningKey(scope, key);
    }

    Scope scope() {
        return scope;
    }

    /** Signs text; returns the signature in hexadecimal digits. */
    public String sign(String text) {
        return HexFormat.of().formatHex(hmac(key, text));
    }

    /** Returns whether a signature is that of a text; the time of the answer says nothing of the right one. */
    boolean isSignature(String given, String text) {
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.US_ASCII), sign(text).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] hmac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java runtime has " + HMAC, e);
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    static String sha256(String text) {
        return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
