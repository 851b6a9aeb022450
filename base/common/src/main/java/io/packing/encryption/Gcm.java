// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** The AES-256-GCM of the JDK, with a tag of 16 bytes. */
final class Gcm {
    static final int TAG_BYTES = 16;

    private Gcm() {}

    static Cipher cipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no AES-GCM", e);
        }
    }

    static GCMParameterSpec parameters(byte[] nonce) {
        return new GCMParameterSpec(8 * TAG_BYTES, nonce);
    }

    static byte[] encrypt(SecretKey key, byte[] nonce, byte[] associated, byte[] plain)
            throws GeneralSecurityException {
        return run(Cipher.ENCRYPT_MODE, key, nonce, associated, plain);
    }

    /**
     * Decrypts bytes.
     *
     * @throws javax.crypto.AEADBadTagException when they were not encrypted with this key, nonce and data
     */
    static byte[] decrypt(SecretKey key, byte[] nonce, byte[] associated, byte[] encrypted)
            throws GeneralSecurityException {
        return run(Cipher.DECRYPT_MODE, key, nonce, associated, encrypted);
    }

    private static byte[] run(int mode, SecretKey key, byte[] nonce, byte[] associated, byte[] bytes)
            throws GeneralSecurityException {
        Cipher cipher = cipher();
        cipher.init(mode, key, parameters(nonce));
        cipher.updateAAD(associated);
        return cipher.doFinal(bytes);
    }
}
