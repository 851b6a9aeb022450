package io.packing.transport;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.TimeUnit;

/** Makes the channels of all clients. */
public final class Channels {
    private Channels() {}

    /**
     * A channel to a server. Does not connect yet: the first call does.
     *
     * @param address {@code HOST:PORT}, an IPv6 address in brackets
     */
    public static ManagedChannel open(String address, ConnectionSettings settings) {
        return NettyChannelBuilder.forTarget(target(address), Credentials.ofClient())
                .withOption(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(settings.connect().toMillis()))
                .maxInboundMessageSize(settings.answerBytes())
                .keepAliveTime(settings.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(settings.keepAliveTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .build();
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
