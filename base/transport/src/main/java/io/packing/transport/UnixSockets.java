// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The loops of UNIX sockets, which are those of the native transport. */
final class UnixSockets {
    private UnixSockets() {}

    static void check() throws IOException {
        if (!Epoll.isAvailable()) {
            throw new IOException(
                    "UNIX sockets need Linux on x86-64 or ARM64: %s".formatted(Epoll.unavailabilityCause()),
                    Epoll.unavailabilityCause());
        }
    }

    static EventLoopGroup loops(String name, int count) {
        return new MultiThreadIoEventLoopGroup(
                count, new DefaultThreadFactory(name, true), EpollIoHandler.newFactory());
    }

    static void end(EventLoopGroup loops) {
        Future<?> unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
