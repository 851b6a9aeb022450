// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The key and the certificate of a server. */
public final class NbdKeys {
    private NbdKeys() {}

    /**
     * Reads a PKCS#12 file.
     *
     * @throws IOException naming the file when it cannot be read by the password
     */
    public static SSLContext read(Path keystore, String password) throws IOException {
        try (InputStream in = Files.newInputStream(keystore)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password.toCharArray());
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, password.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException("%s: no key of a server: %s".formatted(keystore, e.getMessage()), e);
        }
    }
}
