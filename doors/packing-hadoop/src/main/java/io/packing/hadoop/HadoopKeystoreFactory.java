// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.encryption.Keystore;
import io.packing.encryption.KeystoreFactory;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderCryptoExtension;
import org.apache.hadoop.crypto.key.KeyProviderFactory;

/**
 * Opens keystores of Hadoop's {@code KeyProvider} API, such as {@code kms://https@host:9600/kms}, with the
 * configuration of the class path.
 */
public final class HadoopKeystoreFactory implements KeystoreFactory {
    /** Makes the factory, for {@link java.util.ServiceLoader}. */
    public HadoopKeystoreFactory() {}

    @Override
    public Optional<Keystore> open(URI location) throws IOException {
        KeyProvider provider = KeyProviderFactory.get(location, new Configuration());
        return provider == null
                ? Optional.empty()
                : Optional.of(new HadoopKeystore(
                        location, KeyProviderCryptoExtension.createKeyProviderCryptoExtension(provider)));
    }
}
