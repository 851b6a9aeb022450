// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.token;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * A server's knowledge for checking tokens by itself.
 *
 * @param keys public keys by their ids
 * @param refused sequence numbers of tokens that were cancelled, or not renewed in time
 * @param heard the latest report from each other group of masters, by the ids of its keys
 */
public record KeyRing(Map<Integer, PublicKey> keys, Set<Long> refused, Map<Integer, Heard> heard) {
    /** A ring without keys, which accepts no token. */
    public static final KeyRing EMPTY = new KeyRing(Map.of(), Set.of());

    public KeyRing {
        keys = Map.copyOf(keys);
        refused = Set.copyOf(refused);
        heard = Map.copyOf(heard);
    }

    /** Creates a ring of the keys of one group, which reports it itself. */
    public KeyRing(Map<Integer, PublicKey> keys, Set<Long> refused) {
        this(keys, refused, Map.of());
    }

    /**
     * The latest report about a group's tokens. A job's token that is newer counts as not renewed.
     *
     * @param at the group's time, by its own clock, when it reported its issued and refused tokens
     * @param renewal the time for which its tokens are valid without renewal
     */
    public record Heard(Instant at, Duration renewal) {}

    /**
     * Returns a public key from its bytes.
     *
     * @param encoded in X.509's form
     */
    public static PublicKey publicKey(byte[] encoded) {
        try {
            return KeyFactory.getInstance(Token.ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not a public key for tokens: " + e.getMessage(), e);
        }
    }
}
