// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.transport.Security;
import io.packing.worker.api.CreateOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A client leaves a worker that takes files and falls silent, and keeps one that takes long but gives signs of life.
 */
@Timeout(120)
final class SilentPeerTest {
    private static final CreateOptions NEW = new CreateOptions("u", "g", 0644, false, false);
    private static final Duration PATIENCE = Duration.ofMillis(400);

    private final Semaphore questions = new Semaphore(0);
    private final List<StreamObserver<WriteBatchReply>> writers = new CopyOnWriteArrayList<>();
    private final List<Long> batches = new CopyOnWriteArrayList<>();
    private volatile boolean silent;
    private Server server;

    /** A worker that answers no file by itself, and gives signs of life unless it is silent. */
    private final class Slow extends PeerGrpc.PeerImplBase {
        @Override
        public void read(ReadRequest request, StreamObserver<ReadChunk> to) {
            if (!silent) {
                to.onError(Status.NOT_FOUND.asException());
                questions.release();
            }
        }

        @Override
        public StreamObserver<WriteBatch> write(StreamObserver<WriteBatchReply> to) {
            return new Taken<>(batch -> {
                batches.add(batch.getSequence());
                writers.add(to);
            });
        }

        @Override
        public StreamObserver<LargePart> writeLarge(StreamObserver<WriteResult> to) {
            return new Taken<>(part -> {});
        }
    }

    private record Taken<T>(Consumer<T> next) implements StreamObserver<T> {
        @Override
        public void onNext(T value) {
            next.accept(value);
        }

        @Override
        public void onError(Throwable cause) {}

        @Override
        public void onCompleted() {}
    }

    @BeforeEach
    void start() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new Slow())
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    private String address() {
        return "127.0.0.1:" + server.getPort();
    }

    @Test
    void filesOnTheirWayToASilentWorkerFailAndItsStreamIsClosed() {
        silent = true;
        try (PeerClient client = new PeerClient(Security.NONE, PATIENCE);
                WriteStream stream = client.writes(address(), "m", false)) {
            CompletableFuture<FileVersion> file = stream.put(new FilePath("/f"), ByteBuffer.allocate(10), NEW);
            assertThatThrownBy(file::join)
                    .hasCauseInstanceOf(UnavailableException.class)
                    .hasMessageContaining("it has said nothing for 0.4 s");
            assertThat(stream.isOpen()).isFalse();
        }
    }

    @Test
    void aLargeFileOnItsWayToASilentWorkerFails() {
        silent = true;
        try (PeerClient client = new PeerClient(Security.NONE, PATIENCE)) {
            assertThatThrownBy(() -> {
                        LargeWrite write = client.create(address(), "m", new FilePath("/f"), NEW);
                        write.write(ByteBuffer.allocate(1 << 20));
                        FileVersion unused = write.finish();
                    })
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("it has said nothing for 0.4 s");
        }
    }

    @Test
    void aWorkerThatTakesLongIsWaitedFor() throws Exception {
        try (PeerClient client = new PeerClient(Security.NONE, PATIENCE);
                WriteStream stream = client.writes(address(), "m", true)) {
            CompletableFuture<FileVersion> file = stream.put(new FilePath("/f"), ByteBuffer.allocate(10), NEW);
            // The client asked several times, each after half of the patience.
            questions.acquire(4);
            assertThat(file).isNotDone();
            writers.get(0)
                    .onNext(WriteBatchReply.newBuilder()
                            .setSequence(batches.get(0))
                            .addResults(WriteResult.newBuilder().setFileId(7).setGeneration(1))
                            .build());
            assertThat(file.join().id()).isEqualTo(7);
            assertThat(stream.isOpen()).isTrue();
        }
    }
}
