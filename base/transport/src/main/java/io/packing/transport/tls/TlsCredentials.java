// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.tls;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import io.packing.transport.identity.Role;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/** gRPC's credentials for the two ends of a connection with TLS. */
public final class TlsCredentials {
    private TlsCredentials() {}

    /**
     * Returns the credentials of a client, which checks the name of its server.
     *
     * @param server the role that the server's certificate must give
     * @throws IllegalArgumentException naming the file that cannot be used
     */
    public static ChannelCredentials ofClient(TlsFiles files, Role server) {
        TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder()
                .trustManager(
                        server == Role.CALLER
                                ? TrustedAuthorities.read(files, Verification.CERTIFICATE_AND_HOST_NAME_VERIFICATION)
                                : peers(files, server));
        files.own().ifPresent(own -> builder.keyManager(new OwnKeys(own)));
        return builder.build();
    }

    /**
     * Returns the credentials of a server. Clients may come without a certificate, since they may have a token; one
     * that they show must be good.
     *
     * @throws IllegalArgumentException naming the file that cannot be used
     */
    public static ServerCredentials ofServer(TlsFiles.Own own, TlsFiles files) {
        return TlsServerCredentials.newBuilder()
                .keyManager(new OwnKeys(own))
                .trustManager(TrustedAuthorities.read(files, Verification.CERTIFICATE_ONLY_VERIFICATION))
                .clientAuth(TlsServerCredentials.ClientAuth.OPTIONAL)
                .build();
    }

    /**
     * Returns the key of a process, for a library that makes its connections itself.
     *
     * @throws IllegalArgumentException naming the file that cannot be used
     */
    public static KeyManager keys(TlsFiles.Own own) {
        return new OwnKeys(own);
    }

    /**
     * Returns a trust manager that believes processes, at either end of a connection, with a good certificate that
     * gives a role. A server also needs the right name.
     *
     * @throws IllegalArgumentException naming the file that cannot be used
     */
    public static TrustManager peers(TlsFiles files, Role role) {
        return new PeerTrust(TrustedAuthorities.read(files, Verification.CERTIFICATE_AND_HOST_NAME_VERIFICATION), role);
    }
}
