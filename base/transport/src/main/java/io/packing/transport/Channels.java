// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.packing.transport.identity.Role;
import io.packing.transport.tls.TlsCredentials;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The maker of the channels of all clients. */
public final class Channels {
    /**
     * The log that gRPC uses for channels only. This reference keeps its level: the JVM would forget it with the
     * logger.
     */
    private static final Logger LOG = Logger.getLogger("io.grpc.internal.ManagedChannelImpl");

    static {
        // It warns of each failed resolution of a name, with a stack trace. The call's error reports the same once.
        if (LOG.getLevel() == null) {
            LOG.setLevel(Level.SEVERE);
        }
    }

    private Channels() {}

    /**
     * Returns a channel to a server. It connects at the first call.
     *
     * @param address {@code HOST:PORT}, an IPv6 address in brackets
     * @throws IllegalArgumentException naming the TLS file that cannot be used
     */
    public static ManagedChannel open(String address, ConnectionOptions settings, Security security) {
        return open(address, settings, security, Role.CALLER);
    }

    /**
     * Returns a channel to a server whose certificate gives a role.
     *
     * @param server with TLS, the client refuses a server without this role
     */
    public static ManagedChannel open(String address, ConnectionOptions settings, Security security, Role server) {
        NettyChannelBuilder channel = NettyChannelBuilder.forTarget(target(address), credentials(security, server))
                .withOption(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(settings.connect().toMillis()))
                .maxInboundMessageSize(settings.answerBytes())
                // Clients repeat calls themselves. Besides, {@link UnsentRequests} could not cancel an ended call that
                // gRPC may repeat.
                .disableRetry()
                .keepAliveTime(settings.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(settings.keepAliveTimeout().toMillis(), TimeUnit.MILLISECONDS);
        if (security.tls().isPresent() && security.token() != Security.TokenSource.NONE) {
            channel.intercept(new ShownToken(security.token()));
        }
        channel.intercept(SpanCalls.ofClients(), new UnsentRequests(), DirectMemory.ofClients());
        return channel.build();
    }

    /** Returns a channel to a server without TLS. */
    public static ManagedChannel open(String address, ConnectionOptions settings) {
        return open(address, settings, Security.NONE);
    }

    private static ChannelCredentials credentials(Security security, Role server) {
        return security.tls()
                .map(files -> TlsCredentials.ofClient(files, server))
                .orElseGet(InsecureChannelCredentials::create);
    }

    /** Returns the address with its scheme: gRPC would take the host names {@code dns} and {@code unix} for schemes. */
    static String target(String address) {
        try {
            return new URI("dns", "", "/" + address, null).toString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("bad address '%s', want HOST:PORT".formatted(address), e);
        }
    }
}
