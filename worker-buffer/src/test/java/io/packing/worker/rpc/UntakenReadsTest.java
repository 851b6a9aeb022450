// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.transport.AccessControl;
import io.packing.transport.Security;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that asks for the bytes of buffered files, and takes none of them. */
@Timeout(60)
final class UntakenReadsTest {
    private static final int READS = 400;
    private static final int AT_A_TIME = 16;
    private static final int WINDOW_BYTES = 64 << 10;

    private final Engine engine = new Engine();
    private final AtomicInteger reading = new AtomicInteger();
    private final AtomicInteger mostReading = new AtomicInteger();

    private Optional<ByteBuffer> read(int length) {
        mostReading.accumulateAndGet(reading.incrementAndGet(), Math::max);
        ByteBuffer bytes = ByteBuffer.allocate(length);
        reading.decrementAndGet();
        return Optional.of(bytes);
    }

    private static CompletableFuture<Status> untaken(ManagedChannel channel) {
        CompletableFuture<Status> end = new CompletableFuture<>();
        ClientCall<ReadRequest, ReadChunk> call = channel.newCall(PeerGrpc.getReadMethod(), CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                new Metadata());
        call.sendMessage(ReadRequest.newBuilder()
                .setMount("m")
                .setFileId(1)
                .setLength(PeerServer.MAX_READ_BYTES)
                .build());
        call.halfClose();
        return end;
    }

    @Test
    void theyAreRefusedAndOthersAreAnswered() throws Exception {
        engine.read = this::read;
        PeerServer server = PeerServer.start("127.0.0.1", 0, engine, AccessControl.open(PeerRights.RIGHTS));
        String address = "127.0.0.1:" + server.port();
        ManagedChannel deaf = NettyChannelBuilder.forTarget(address)
                .usePlaintext()
                .disableRetry()
                .flowControlWindow(WINDOW_BYTES)
                .build();
        try (server;
                PeerClient honest = new PeerClient(Security.NONE)) {
            CompletableFuture<?>[] ends = new CompletableFuture<?>[READS];
            for (int i = 0; i < READS; i++) {
                ends[i] = untaken(deaf);
            }
            Object first = CompletableFuture.anyOf(ends).join();
            assertThat(((Status) first).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            Optional<ByteBuffer> bytes = honest.reading(Duration.ofSeconds(30))
                    .read(address, "m", new FilePath("/f"), new FileVersion(1, 1), 0, PeerServer.MAX_READ_BYTES);
            assertThat(bytes).contains(ByteBuffer.allocate(PeerServer.MAX_READ_BYTES));
            assertThat(mostReading.get()).isBetween(1, AT_A_TIME);
        } finally {
            deaf.shutdownNow();
        }
    }
}
