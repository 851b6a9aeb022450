package io.packing.transport.token;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Map;
import java.util.Set;

/**
 * What a server needs to check tokens by itself.
 *
 * @param keys public keys by their ids
 * @param refused sequence numbers of tokens that were cancelled, or not renewed in time
 */
public record KeyRing(Map<Integer, PublicKey> keys, Set<Long> refused) {
    /** Accepts nothing. */
    public static final KeyRing EMPTY = new KeyRing(Map.of(), Set.of());

    public KeyRing {
        keys = Map.copyOf(keys);
        refused = Set.copyOf(refused);
    }

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
