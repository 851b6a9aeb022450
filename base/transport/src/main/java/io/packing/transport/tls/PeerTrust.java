// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.tls;

import io.packing.transport.identity.Identity;
import io.packing.transport.identity.Role;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** A trust manager that believes processes of one role only. Thread-safe. */
final class PeerTrust extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager authorities;
    private final Role role;

    PeerTrust(X509ExtendedTrustManager authorities, Role role) {
        this.authorities = authorities;
        this.role = role;
    }

    private void checkRole(X509Certificate[] chain) throws CertificateException {
        Identity peer;
        try {
            peer = Identity.of(chain[0]);
        } catch (IllegalArgumentException e) {
            throw new CertificateException(e.getMessage(), e);
        }
        if (!peer.has(role)) {
            throw new CertificateException("the certificate of %s has no O=%s, which this connection needs"
                    .formatted(peer.user(), role.organization()));
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        authorities.checkClientTrusted(chain, authType, engine);
        checkRole(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        authorities.checkServerTrusted(chain, authType, engine);
        checkRole(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        authorities.checkClientTrusted(chain, authType, socket);
        checkRole(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        authorities.checkServerTrusted(chain, authType, socket);
        checkRole(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        authorities.checkClientTrusted(chain, authType);
        checkRole(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        authorities.checkServerTrusted(chain, authType);
        checkRole(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }
}
