// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;

/** A provider before the JDK's AES-GCM that counts the encryptions of each pair of key and nonce, by all callers. */
final class WatchedGcm extends Provider implements AutoCloseable {
    private static final long serialVersionUID = 1L;
    private static final Map<List<ByteBuffer>, Integer> PAIRS = new HashMap<>();

    private WatchedGcm() {
        super("WatchedGcm", "1", "counts pairs of key and nonce");
        put("Cipher.AES/GCM/NoPadding", Watched.class.getName());
    }

    static WatchedGcm install() {
        WatchedGcm provider = new WatchedGcm();
        synchronized (PAIRS) {
            PAIRS.clear();
        }
        Security.insertProviderAt(provider, 1);
        return provider;
    }

    /** Returns the number of uses of each pair. */
    Map<List<ByteBuffer>, Integer> pairs() {
        synchronized (PAIRS) {
            return Map.copyOf(PAIRS);
        }
    }

    @Override
    public void close() {
        Security.removeProvider(getName());
    }

    /** The JDK's cipher, watched. */
    public static final class Watched extends CipherSpi {
        private final Cipher cipher;

        public Watched() throws GeneralSecurityException {
            cipher = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
        }

        @Override
        protected void engineInit(int mode, Key key, AlgorithmParameterSpec parameters, SecureRandom random)
                throws InvalidKeyException, InvalidAlgorithmParameterException {
            if (mode == Cipher.ENCRYPT_MODE && parameters instanceof GCMParameterSpec gcm) {
                List<ByteBuffer> pair = List.of(ByteBuffer.wrap(key.getEncoded()), ByteBuffer.wrap(gcm.getIV()));
                synchronized (PAIRS) {
                    PAIRS.merge(pair, 1, Integer::sum);
                }
            }
            cipher.init(mode, key, parameters, random);
        }

        @Override
        protected void engineInit(int mode, Key key, SecureRandom random) throws InvalidKeyException {
            throw new InvalidKeyException("a nonce that somebody else chooses");
        }

        @Override
        protected void engineInit(int mode, Key key, AlgorithmParameters parameters, SecureRandom random)
                throws InvalidKeyException {
            throw new InvalidKeyException("a nonce that somebody else chooses");
        }

        @Override
        protected void engineUpdateAAD(byte[] bytes, int from, int length) {
            cipher.updateAAD(bytes, from, length);
        }

        @Override
        protected byte[] engineUpdate(byte[] bytes, int from, int length) {
            return cipher.update(bytes, from, length);
        }

        @Override
        protected int engineUpdate(byte[] bytes, int from, int length, byte[] to, int at) throws ShortBufferException {
            return cipher.update(bytes, from, length, to, at);
        }

        @Override
        protected byte[] engineDoFinal(byte[] bytes, int from, int length)
                throws IllegalBlockSizeException, BadPaddingException {
            return cipher.doFinal(bytes, from, length);
        }

        @Override
        protected int engineDoFinal(byte[] bytes, int from, int length, byte[] to, int at)
                throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
            return cipher.doFinal(bytes, from, length, to, at);
        }

        @Override
        protected int engineDoFinal(ByteBuffer from, ByteBuffer to)
                throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
            return cipher.doFinal(from, to);
        }

        @Override
        protected void engineSetMode(String mode) {
            // GCM has one mode.
        }

        @Override
        protected void engineSetPadding(String padding) {
            // GCM has no padding.
        }

        @Override
        protected int engineGetBlockSize() {
            return cipher.getBlockSize();
        }

        @Override
        protected int engineGetOutputSize(int length) {
            return cipher.getOutputSize(length);
        }

        @Override
        protected byte[] engineGetIV() {
            return cipher.getIV();
        }

        @Override
        protected AlgorithmParameters engineGetParameters() {
            return cipher.getParameters();
        }
    }
}
