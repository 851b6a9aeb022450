// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets of all registries of a store that sign tokens, one a line. The first one signs, all of them are trusted,
 * so that a new one can be put before the old one. Thread-safe.
 */
public final class RegistryTokenKeys {
    private static final String ALGORITHM = "HmacSHA256";
    /** As long as the hash (RFC 7518, section 3.2). */
    private static final int LEAST_CHARACTERS = 32;

    private final List<SecretKeySpec> keys;

    private RegistryTokenKeys(List<SecretKeySpec> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Reads lines; {@link IllegalArgumentException} names the error, and never a secret. */
    public static RegistryTokenKeys parse(List<String> lines) {
        List<SecretKeySpec> keys = new ArrayList<>();
        for (String line : lines) {
            String secret = line.strip();
            if (secret.isEmpty()) {
                continue;
            }
            if (secret.length() < LEAST_CHARACTERS) {
                throw new IllegalArgumentException(
                        "token keys: a key has at least %d characters; openssl rand -base64 48 makes one"
                                .formatted(LEAST_CHARACTERS));
            }
            keys.add(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("token keys: there is none; openssl rand -base64 48 makes one");
        }
        return new RegistryTokenKeys(keys);
    }

    byte[] sign(String text) {
        return mac(keys.get(0), text);
    }

    boolean signed(String text, byte[] signature) {
        return keys.stream().anyMatch(key -> MessageDigest.isEqual(mac(key, text), signature));
    }

    private static byte[] mac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
        }
    }
}
