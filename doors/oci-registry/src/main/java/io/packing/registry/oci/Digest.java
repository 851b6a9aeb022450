// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.oci;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The name of bytes by their hash.
 *
 * @param algorithm how they are hashed
 * @param hex the hash, in lower case
 */
public record Digest(Algorithm algorithm, String hex) {
    /** The registered algorithms. */
    public enum Algorithm {
        SHA256("sha256", "SHA-256", 64),
        SHA512("sha512", "SHA-512", 128);

        private final String text;
        private final String java;
        private final int digits;

        Algorithm(String text, String java, int digits) {
            this.text = text;
            this.java = java;
            this.digits = digits;
        }

        /** As a digest begins. */
        public String text() {
            return text;
        }

        public MessageDigest hasher() {
            try {
                return MessageDigest.getInstance(java);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java runtime has " + java, e);
            }
        }

        /** Returns the digest of a hasher of this algorithm; the hasher starts again. */
        public Digest of(MessageDigest hasher) {
            return new Digest(this, HexFormat.of().formatHex(hasher.digest()));
        }

        /** Returns the digest of bytes. */
        public Digest of(byte[] bytes) {
            MessageDigest hasher = hasher();
            hasher.update(bytes);
            return of(hasher);
        }

        private boolean isHash(String hex) {
            return hex.length() == digits
                    && hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
        }

        /** Returns the algorithm of a name; empty: not a registered one. */
        public static Optional<Algorithm> named(String text) {
            for (Algorithm each : values()) {
                if (each.text.equals(text)) {
                    return Optional.of(each);
                }
            }
            return Optional.empty();
        }
    }

    public Digest {
        if (!algorithm.isHash(hex)) {
            throw new IllegalArgumentException("bad %s digest '%s'".formatted(algorithm.text, hex));
        }
    }

    /**
     * Reads {@code algorithm:hex}.
     *
     * @throws OciException {@link OciCode#DIGEST_INVALID} for any other text
     */
    public static Digest parse(String text) throws OciException {
        // Without a regular expression: a long text would exhaust the stack.
        int colon = text.indexOf(':');
        Optional<Algorithm> algorithm = colon < 0 ? Optional.empty() : Algorithm.named(text.substring(0, colon));
        String hex = text.substring(colon + 1);
        if (algorithm.isPresent() && algorithm.get().isHash(hex)) {
            return new Digest(algorithm.get(), hex);
        }
        throw invalid(text);
    }

    private static OciException invalid(String text) {
        return new OciException(
                OciCode.DIGEST_INVALID,
                "'%.200s' is no digest: want sha256: and 64 hex digits, or sha512: and 128".formatted(text));
    }

    /** Returns whether a text is meant as a digest, and not as a tag. */
    public static boolean isMeant(String reference) {
        return reference.indexOf(':') >= 0;
    }

    @Override
    public String toString() {
        return algorithm.text + ":" + hex;
    }
}
