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

/** Makes the channels of all clients. */
public final class Channels {
    /** The log of gRPC, which nothing else is written to. A logger that is not held loses its level. */
    private static final Logger LOG = Logger.getLogger("io.grpc.internal.ManagedChannelImpl");

    static {
        // It warns, with a stack trace, of each try to resolve a name. The error of the call says that once.
        if (LOG.getLevel() == null) {
            LOG.setLevel(Level.SEVERE);
        }
    }

    private Channels() {}

    /**
     * A channel to a server. Does not connect yet: the first call does.
     *
     * @param address {@code HOST:PORT}, an IPv6 address in brackets
     * @throws IllegalArgumentException naming the file of TLS that cannot be used
     */
    public static ManagedChannel open(String address, ConnectionSettings settings, Security security) {
        return open(address, settings, security, Role.ANYBODY);
    }

    /**
     * The same to a server whose certificate gives a role.
     *
     * @param server any other server is not spoken to, if there is TLS
     */
    public static ManagedChannel open(String address, ConnectionSettings settings, Security security, Role server) {
        NettyChannelBuilder channel = NettyChannelBuilder.forTarget(target(address), credentials(security, server))
                .withOption(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(settings.connect().toMillis()))
                .maxInboundMessageSize(settings.answerBytes())
                // Clients repeat calls by themselves, and a call that gRPC may repeat cannot be given up when it has
                // ended.
                .disableRetry()
                .keepAliveTime(settings.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(settings.keepAliveTimeout().toMillis(), TimeUnit.MILLISECONDS);
        if (security.tls().isPresent() && security.token() != Security.TokenSource.NONE) {
            channel.intercept(new ShownToken(security.token()));
        }
        channel.intercept(SpanCalls.ofClients(), new UnsentRequests(), DirectMemory.ofClients());
        return channel.build();
    }

    /** A channel to a server that trusts everybody. */
    public static ManagedChannel open(String address, ConnectionSettings settings) {
        return open(address, settings, Security.NONE);
    }

    private static ChannelCredentials credentials(Security security, Role server) {
        return security.tls()
                .map(files -> TlsCredentials.ofClient(files, server))
                .orElseGet(InsecureChannelCredentials::create);
    }

    /** With its scheme: gRPC would take a host of the name {@code dns} or {@code unix} for one. */
    static String target(String address) {
        try {
            return new URI("dns", "", "/" + address, null).toString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("bad address '%s', want HOST:PORT".formatted(address), e);
        }
    }
}
