// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.buffer.UnpooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.packing.bdt.rpc.BdtGrpc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test that a caller loses no memory of its own: a fuzz must find the servers' lost memory only. */
@Timeout(120)
final class CallMakerTest {
    private static final int MESSAGE_BYTES = 100_000;

    @ParameterizedTest
    @EnumSource(CallMaker.Manner.class)
    void whatACallerTookForItsMessagesIsGivenBack(CallMaker.Manner manner) throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new BdtGrpc.BdtImplBase() {})
                .build()
                .start();
        UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
        ManagedChannel channel = NettyChannelBuilder.forTarget("127.0.0.1:" + server.getPort())
                .withOption(ChannelOption.ALLOCATOR, memory)
                // All channels of the fuzz disable retries.
                .disableRetry()
                .usePlaintext()
                .build();
        try {
            List<Rpc> rpcs = Rpc.of(BdtGrpc.getServiceDescriptor(), channel);
            CallMaker caller = new CallMaker(30);
            // A call that is cancelled before the connection takes no memory.
            caller.call(rpcs.get(0), List.of(new byte[0]), CallMaker.Manner.ORDERLY);
            for (Rpc rpc : rpcs) {
                caller.call(rpc, List.of(new byte[MESSAGE_BYTES]), manner);
            }
        } finally {
            channel.shutdown();
            assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            server.shutdownNow();
        }
        assertThat(memory.metric().usedDirectMemory() + memory.metric().usedHeapMemory())
                .isZero();
    }
}
