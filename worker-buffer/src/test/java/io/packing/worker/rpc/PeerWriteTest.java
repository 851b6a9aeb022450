// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.FencedException;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.sorted.DiskFullException;
import io.packing.transport.AccessControl;
import io.packing.transport.Security;
import io.packing.worker.api.BufferFullException;
import io.packing.worker.api.CreateOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PeerWriteTest {
    private static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);

    private final Engine engine = new Engine();
    private final PeerClient peers = new PeerClient(Security.NONE);
    private PeerServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = PeerServer.start("127.0.0.1", 0, engine, AccessControl.open(PeerRights.RIGHTS));
    }

    @AfterEach
    void stopServer() {
        peers.close();
        server.close();
    }

    private String address() {
        return "127.0.0.1:" + server.port();
    }

    private static FilePath path(int number) {
        return new FilePath("/f" + number);
    }

    @Test
    void aWorkerHoldsABoundedNumberOfFilesOfAClient() throws Exception {
        AtomicInteger held = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService completer = Executors.newSingleThreadExecutor();
        engine.put = path -> CompletableFuture.supplyAsync(
                () -> {
                    held.decrementAndGet();
                    return new FileVersion(1, 1);
                },
                task -> {
                    most.accumulateAndGet(held.incrementAndGet(), Math::max);
                    completer.execute(task);
                });
        try (WriteStream stream = peers.writes(address(), "m", false)) {
            List<CompletableFuture<FileVersion>> puts = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                puts.add(stream.put(path(i), ByteBuffer.allocate(100), NEW));
            }
            for (CompletableFuture<FileVersion> put : puts) {
                assertThat(put.get()).isEqualTo(new FileVersion(1, 1));
            }
        }
        completer.shutdown();
        assertThat(most.get()).isBetween(1, 4 * 128);
    }

    @Test
    void whenTheWorkerDiesEveryFileWithoutAnAnswerFails() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        engine.put = path -> {
            arrived.countDown();
            return new CompletableFuture<>();
        };
        WriteStream stream = peers.writes(address(), "m", false);
        List<CompletableFuture<FileVersion>> puts = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            puts.add(stream.put(path(i), ByteBuffer.allocate(100), NEW));
        }
        arrived.await();
        server.close();
        for (CompletableFuture<FileVersion> put : puts) {
            assertThatThrownBy(put::get).hasCauseInstanceOf(UnavailableException.class);
        }
        assertThat(stream.isOpen()).isFalse();
        assertThatThrownBy(stream.put(path(0), ByteBuffer.allocate(1), NEW)::get)
                .hasCauseInstanceOf(UnavailableException.class);
    }

    @Test
    void everyKindOfFailureArrivesAsItself() throws Exception {
        List<Exception> kinds = List.of(
                new UnavailableException("x"),
                new FencedException("x"),
                new BufferFullException("x"),
                new IllegalArgumentException("x"),
                new IOException("x"));
        try (WriteStream stream = peers.writes(address(), "m", false)) {
            for (Exception kind : kinds) {
                engine.put = path -> CompletableFuture.failedFuture(kind);
                assertThatThrownBy(stream.put(path(1), ByteBuffer.allocate(1), NEW)::get)
                        .cause()
                        .isExactlyInstanceOf(kind.getClass())
                        .hasMessageContaining(address() + ": x");
                assertThatThrownBy(() -> {
                            LargeWrite large = peers.create(address(), "m", path(1), NEW);
                            large.finish();
                        })
                        .hasMessageContaining("no large files");
            }
        }
    }

    @Test
    void aFullDiskOfAnyKindArrivesAsAFullBuffer() throws Exception {
        List<IOException> kinds = List.of(
                new DiskFullException("x"),
                new IOException("x", new IOException("write failed: No space left on device")),
                new IOException("x: Disk quota exceeded"));
        try (WriteStream stream = peers.writes(address(), "m", false)) {
            for (IOException kind : kinds) {
                engine.put = path -> CompletableFuture.failedFuture(kind);
                assertThatThrownBy(stream.put(path(1), ByteBuffer.allocate(1), NEW)::get)
                        .hasCauseInstanceOf(BufferFullException.class)
                        .hasMessageContaining(address() + ": x");
            }
        }
    }

    @Test
    void aPathThatIsNoneFailsAloneAndABatchMayBeEmpty() throws Exception {
        engine.put = path -> CompletableFuture.completedFuture(new FileVersion(7, 8));
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(address()).usePlaintext().build();
        try {
            ConcurrentLinkedQueue<WriteBatchReply> replies = new ConcurrentLinkedQueue<>();
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            StreamObserver<WriteBatch> batches = PeerGrpc.newStub(channel).write(observer(replies, ended));
            batches.onNext(WriteBatch.newBuilder()
                    .setSequence(5)
                    .addFiles(SmallFile.newBuilder()
                            .setCreation(Creation.newBuilder().setPath("../etc")))
                    .addFiles(SmallFile.newBuilder()
                            .setCreation(Creation.newBuilder().setPath("/good")))
                    .build());
            batches.onNext(WriteBatch.newBuilder().setSequence(6).build());
            batches.onCompleted();
            assertThat(ended.get()).isTrue();
            assertThat(replies).extracting(WriteBatchReply::getSequence).containsExactly(5L, 6L);
            List<WriteResult> results = replies.element().getResultsList();
            assertThat(results)
                    .extracting(WriteResult::getAnswer)
                    .containsExactly(WriteResult.Answer.INVALID, WriteResult.Answer.STORED);
            assertThat(WriteCodec.version(results.get(1))).isEqualTo(new FileVersion(7, 8));
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void bytesWithoutAFileAreRefused() throws Exception {
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(address()).usePlaintext().build();
        try {
            ConcurrentLinkedQueue<WriteResult> replies = new ConcurrentLinkedQueue<>();
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            StreamObserver<LargePart> parts = PeerGrpc.newStub(channel).writeLarge(observer(replies, ended));
            parts.onNext(LargePart.newBuilder()
                    .setData(ByteString.copyFromUtf8("bytes"))
                    .build());
            assertThat(ended.get()).isTrue();
            assertThat(replies.element().getAnswer()).isEqualTo(WriteResult.Answer.INVALID);
        } finally {
            channel.shutdownNow();
        }
    }

    private static <T> StreamObserver<T> observer(ConcurrentLinkedQueue<T> values, CompletableFuture<Boolean> ended) {
        return new StreamObserver<>() {
            @Override
            public void onNext(T value) {
                values.add(value);
            }

            @Override
            public void onError(Throwable failure) {
                ended.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                ended.complete(true);
            }
        };
    }
}
