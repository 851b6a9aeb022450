// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The authorities of a file, beside those that Java believes. */
public final class StoreAuthorities {
    private StoreAuthorities() {}

    /**
     * Returns those who believe them.
     *
     * @throws IllegalArgumentException naming the option, when the file has no certificates
     */
    public static TrustManager[] of(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            List<Certificate> all =
                    new ArrayList<>(CertificateFactory.getInstance("X.509").generateCertificates(in));
            if (all.isEmpty()) {
                throw new IllegalArgumentException("option packing.s3.ca.file: %s has no certificate".formatted(file));
            }
            for (TrustManager each : managers(null)) {
                if (each instanceof X509TrustManager usual) {
                    all.addAll(List.<X509Certificate>of(usual.getAcceptedIssuers()));
                }
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < all.size(); i++) {
                store.setCertificateEntry(Integer.toString(i), all.get(i));
            }
            return managers(store);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "option packing.s3.ca.file: %s cannot be read as PEM certificates: %s"
                            .formatted(file, e.getMessage()),
                    e);
        }
    }

    private static TrustManager[] managers(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
