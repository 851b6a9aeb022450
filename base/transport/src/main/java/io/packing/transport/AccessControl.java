// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.packing.transport.identity.CallGuard;
import io.packing.transport.identity.MethodRoles;
import io.packing.transport.tls.RevokedCertificates;
import io.packing.transport.tls.TlsCredentials;
import io.packing.transport.tls.TlsFiles;
import io.packing.transport.token.TokenVerifier;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of who may connect to a server and call its methods.
 *
 * @param security of the connections; without TLS every caller on loopback may call every method
 * @param rights the role that each method of the server needs
 * @param tokens accepts or refuses tokens
 * @param clock decides when certificates end
 */
public record AccessControl(Security security, MethodRoles rights, TokenVerifier tokens, Clock clock) {
    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);
    /** The longest life of a connection. Operators must replace a certificate at least this long before it ends. */
    private static final Duration CONNECTION_AGE = Duration.ofHours(1);

    /** Lets every caller call every method. The methods need entries among the rights all the same. */
    public static AccessControl open(MethodRoles rights) {
        return new AccessControl(Security.NONE, rights, TokenVerifier.none(), Clock.systemUTC());
    }

    /**
     * Returns the server's credentials.
     *
     * @throws IllegalArgumentException when other machines could reach the server without TLS, and the operator did not
     *     allow that
     */
    ServerCredentials credentials(InetSocketAddress address) {
        if (security.tls().isPresent()) {
            TlsFiles files = security.tls().get();
            return TlsCredentials.ofServer(
                    files.own()
                            .orElseThrow(() -> new IllegalArgumentException("a server needs a certificate: set %s"
                                    .formatted(security.options().neededByServers()))),
                    files);
        }
        boolean local = address.getAddress() != null && address.getAddress().isLoopbackAddress();
        if (!local && !security.insecure()) {
            throw new IllegalArgumentException(
                    ("refused to listen at %s without TLS: any machine that reaches it could read, change and"
                                    + " delete everything. Set %s (docs/security.md says how to make them), or, on a network that you"
                                    + " trust as a whole, %s=true")
                            .formatted(
                                    address.getHostString(),
                                    security.options().neededByServers(),
                                    security.options().insecureKey()));
        }
        if (!local) {
            LOG.warn(
                    "listens at {} without TLS, since {}=true: any machine that reaches it may read, change and delete everything",
                    address.getHostString(),
                    security.options().insecureKey());
        }
        return InsecureServerCredentials.create();
    }

    void connections(NettyServerBuilder server) {
        if (security.tls().isPresent()) {
            server.addTransportFilter(CallGuard.connections());
            // New calls go to a new connection, where the client shows its current certificate.
            server.maxConnectionAge(CONNECTION_AGE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Returns the service behind a guard of its calls.
     *
     * @throws IllegalArgumentException when a method has no entry among the rights
     */
    ServerServiceDefinition guarded(ServerServiceDefinition service) {
        service.getMethods().forEach(method -> rights.of(method.getMethodDescriptor()));
        return security.tls()
                .map(files -> ServerInterceptors.intercept(
                        service, new CallGuard(rights, tokens, RevokedCertificates.read(files)::why, clock)))
                .orElse(service);
    }
}
