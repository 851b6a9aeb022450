// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Path;

/** A channel to a gRPC server on a UNIX socket. It connects at the first call, and again after a lost connection. */
public final class UnixSocketChannel implements AutoCloseable {
    private final ManagedChannel channel;
    private final EventLoopGroup loops;

    private UnixSocketChannel(ManagedChannel channel, EventLoopGroup loops) {
        this.channel = channel;
        this.loops = loops;
    }

    public static UnixSocketChannel open(Path socket) throws IOException {
        UnixSockets.check();
        EventLoopGroup loops = UnixSockets.loops("unix-client", 1);
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        new DomainSocketAddress(socket.toAbsolutePath().toFile()), InsecureChannelCredentials.create())
                .channelType(EpollDomainSocketChannel.class)
                .eventLoopGroup(loops)
                .overrideAuthority("localhost")
                .disableRetry()
                .build();
        return new UnixSocketChannel(channel, loops);
    }

    public ManagedChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        UnixSockets.end(loops);
    }
}
