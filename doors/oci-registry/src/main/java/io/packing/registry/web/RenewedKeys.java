// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.eclipse.jetty.util.ssl.KeyStoreScanner;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds whether a server's keystore is another one, for new connections. When the new one cannot be
 * used, such as one that is half written, the last good one stays in use: Jetty would drop that first.
 */
final class RenewedKeys extends KeyStoreScanner {
    private static final Logger LOG = LoggerFactory.getLogger(RenewedKeys.class);
    private static final int SECONDS = 5;

    private final HttpFront.Keys keys;

    RenewedKeys(SslContextFactory.Server ssl, HttpFront.Keys keys) {
        super(ssl);
        this.keys = keys;
        setScanInterval(SECONDS);
    }

    @Override
    public void reload() {
        try (InputStream in = Files.newInputStream(keys.keystore())) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, keys.password().toCharArray());
            if (store.size() == 0) {
                throw new IOException("there is no key in it");
            }
        } catch (IOException | GeneralSecurityException e) {
            LOG.warn("{} changed and cannot be used; the keys read before stay in use: {}", keys, e.toString());
            return;
        }
        super.reload();
        LOG.info("read {} again, which changed", keys);
    }

    @Override
    public void fileRemoved(String name) {
        // An operator who replaces the file may remove it first.
        LOG.warn("{} is gone; the keys read before stay in use", name);
    }
}
