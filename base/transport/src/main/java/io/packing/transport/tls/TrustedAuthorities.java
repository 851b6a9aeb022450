// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.tls;

import io.grpc.util.AdvancedTlsX509TrustManager;
import io.packing.transport.watch.WatchedFiles;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** The authorities that this process believes, as its files have them when a connection begins. Thread-safe. */
final class TrustedAuthorities extends X509ExtendedTrustManager {
    private final AdvancedTlsX509TrustManager trust;
    private final WatchedFiles files;
    private final RevokedCertificates revoked;

    private TrustedAuthorities(AdvancedTlsX509TrustManager trust, Path file, RevokedCertificates revoked) {
        this.trust = trust;
        this.revoked = revoked;
        this.files = WatchedFiles.read(List.of(file), () -> trust.updateTrustCredentials(OwnKeys.certificates(file)));
    }

    static TrustedAuthorities read(TlsFiles tls, AdvancedTlsX509TrustManager.Verification verification) {
        try {
            return new TrustedAuthorities(
                    AdvancedTlsX509TrustManager.newBuilder()
                            .setVerification(verification)
                            .build(),
                    tls.trust(),
                    RevokedCertificates.read(tls));
        } catch (CertificateException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        files.refresh();
        trust.checkClientTrusted(chain, authType, engine);
        revoked.check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        files.refresh();
        trust.checkServerTrusted(chain, authType, engine);
        revoked.check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        files.refresh();
        trust.checkClientTrusted(chain, authType, socket);
        revoked.check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        files.refresh();
        trust.checkServerTrusted(chain, authType, socket);
        revoked.check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw withoutConnection();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw withoutConnection();
    }

    /** Returns the failure of a check without a connection, and so without the host name to compare. */
    private static CertificateException withoutConnection() {
        return new CertificateException("a certificate is only checked for a connection");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        files.refresh();
        return trust.getAcceptedIssuers();
    }
}
