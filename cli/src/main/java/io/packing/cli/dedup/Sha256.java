package io.packing.cli.dedup;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The SHA-256 of bytes: a value without an array, since there is one for each file that was read. */
record Sha256(long first, long second, long third, long fourth) {
    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Of what the digest was given; resets it. */
    static Sha256 of(MessageDigest digest) {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest());
        return new Sha256(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }
}
