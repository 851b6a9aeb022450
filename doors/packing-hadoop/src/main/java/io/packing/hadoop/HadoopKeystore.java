// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.encryption.DataKey;
import io.packing.encryption.KeyUnavailableException;
import io.packing.encryption.Keystore;
import io.packing.encryption.WrappedKey;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.crypto.key.KeyProvider.KeyVersion;
import org.apache.hadoop.crypto.key.KeyProviderCryptoExtension;
import org.apache.hadoop.crypto.key.KeyProviderCryptoExtension.EncryptedKeyVersion;

/**
 * Keys that Hadoop's {@code KeyProvider} wraps and unwraps. A KMS does that by itself: the named key never comes here. The wrapped bytes
 * are the length of the initialization vector in one byte, the vector, and the encrypted key.
 */
final class HadoopKeystore implements Keystore {
    private final URI location;
    private final KeyProviderCryptoExtension provider;

    HadoopKeystore(URI location, KeyProviderCryptoExtension provider) {
        this.location = location;
        this.provider = provider;
    }

    @Override
    public DataKey create(String name) throws IOException {
        try {
            if (provider.getMetadata(name) == null) {
                throw new KeyUnavailableException(
                        "keystore %s has no key %s: make one, hadoop key create %s -size 256 -provider %s"
                                .formatted(location, name, name, location));
            }
            EncryptedKeyVersion made = provider.generateEncryptedKey(name);
            byte[] vector = made.getEncryptedKeyIv();
            byte[] encrypted = made.getEncryptedKeyVersion().getMaterial();
            ByteBuffer bytes = ByteBuffer.allocate(1 + vector.length + encrypted.length);
            bytes.put((byte) vector.length).put(vector).put(encrypted).flip();
            SecretKey secret = secret(name, provider.decryptEncryptedKey(made));
            return new DataKey(
                    secret, new WrappedKey(WrappedKey.BY_HADOOP, name, made.getEncryptionKeyVersionName(), bytes));
        } catch (GeneralSecurityException e) {
            throw unavailable("key %s cannot be used".formatted(name), e);
        } catch (IOException e) {
            throw e instanceof KeyUnavailableException ? e : unavailable("key %s cannot be had".formatted(name), e);
        }
    }

    @Override
    public SecretKey unwrap(WrappedKey wrapped) throws IOException {
        if (wrapped.wrapping() != WrappedKey.BY_HADOOP) {
            throw new KeyUnavailableException(
                    "key %s, version %s, is in a file of keys and not in %s: name that file, as file:///etc/packing/keys or jceks://file/etc/packing/keys.jceks"
                            .formatted(wrapped.name(), wrapped.version(), location));
        }
        byte[] bytes = wrapped.copy();
        int vectorBytes = bytes[0] & 0xff;
        if (1 + vectorBytes >= bytes.length) {
            throw new KeyUnavailableException("the wrapped key of %s has no sound form: restore the object from a copy"
                    .formatted(wrapped.version()));
        }
        byte[] vector = new byte[vectorBytes];
        byte[] encrypted = new byte[bytes.length - 1 - vectorBytes];
        ByteBuffer.wrap(bytes, 1, bytes.length - 1).get(vector).get(encrypted);
        try {
            return secret(
                    wrapped.name(),
                    provider.decryptEncryptedKey(EncryptedKeyVersion.createForDecryption(
                            wrapped.name(), wrapped.version(), vector, encrypted)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unavailable("key %s, version %s, cannot be used".formatted(wrapped.name(), wrapped.version()), e);
        } catch (IOException e) {
            throw e instanceof KeyUnavailableException
                    ? e
                    : unavailable("key %s, version %s, cannot be had".formatted(wrapped.name(), wrapped.version()), e);
        } catch (NullPointerException e) {
            // Hadoop's own providers have no better way to say that the version is missing.
            throw unavailable("there is no key %s of version %s".formatted(wrapped.name(), wrapped.version()), e);
        }
    }

    private KeyUnavailableException unavailable(String what, Exception cause) {
        return new KeyUnavailableException(
                "keystore %s: %s: %s"
                        .formatted(
                                location,
                                what,
                                Optional.ofNullable(cause.getMessage()).orElse("")),
                cause);
    }

    private SecretKey secret(String name, KeyVersion version) throws KeyUnavailableException {
        byte[] material = version.getMaterial();
        if (material.length != DataKey.BYTES) {
            throw new KeyUnavailableException(
                    "keystore %s: key %s makes keys of %d bits; create keys with hadoop key create NAME -size 256"
                            .formatted(location, name, 8 * material.length));
        }
        return new SecretKeySpec(material, "AES");
    }

    @Override
    public void close() {
        try {
            provider.close();
        } catch (IOException e) {
            throw new IllegalStateException("keystore %s was not closed".formatted(location), e);
        }
    }

    @Override
    public String toString() {
        return location.toString();
    }
}
