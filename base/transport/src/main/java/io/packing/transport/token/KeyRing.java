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
 * What a server needs to check tokens by itself.
 *
 * @param keys public keys by their ids
 * @param refused sequence numbers of tokens that were cancelled, or not renewed in time
 * @param heard of keys that belong to another group of masters than the one that says this: up to when that is known
 */
public record KeyRing(Map<Integer, PublicKey> keys, Set<Long> refused, Map<Integer, Heard> heard) {
    /** Accepts nothing. */
    public static final KeyRing EMPTY = new KeyRing(Map.of(), Set.of());

    public KeyRing {
        keys = Map.copyOf(keys);
        refused = Set.copyOf(refused);
        heard = Map.copyOf(heard);
    }

    /** Of keys whose owner says this. */
    public KeyRing(Map<Integer, PublicKey> keys, Set<Long> refused) {
        this(keys, refused, Map.of());
    }

    /**
     * What is known of a group's tokens when it said nothing later. A job's token that is newer counts as renewed by nobody.
     *
     * @param at when it said what it had issued and refused, by its own clock
     * @param renewal for how long its tokens are valid without being renewed
     */
    public record Heard(Instant at, Duration renewal) {}

    /**
     * A public key from its bytes.
     *
     * @param encoded as X.509 has it
     */
    public static PublicKey publicKey(byte[] encoded) {
        try {
            return KeyFactory.getInstance(Token.ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not a public key for tokens: " + e.getMessage(), e);
        }
    }
}
