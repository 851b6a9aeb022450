// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's handling of senseless answers from a worker. */
@Timeout(60)
final class PeerAnswersTest {
    private static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);

    /** A worker that answers that files are stored, every second one without an id. */
    private static final class Odd extends PeerGrpc.PeerImplBase {
        @Override
        public StreamObserver<WriteBatch> write(StreamObserver<WriteBatchReply> to) {
            return new StreamObserver<>() {
                @Override
                public void onNext(WriteBatch batch) {
                    WriteBatchReply.Builder reply = WriteBatchReply.newBuilder().setSequence(batch.getSequence());
                    batch.getFilesList()
                            .forEach(file -> reply.addResults(WriteResult.newBuilder()
                                    .setFileId(file.getCreation().getPath().endsWith("bad") ? 0 : 7)
                                    .setGeneration(1)));
                    to.onNext(reply.build());
                }

                @Override
                public void onError(Throwable cause) {}

                @Override
                public void onCompleted() {
                    to.onCompleted();
                }
            };
        }
    }

    @Test
    void oneBadAnswerFailsOneFileAndTheOthersAreAnswered() throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new Odd())
                .build()
                .start();
        try (PeerClient client = new PeerClient(Security.NONE);
                WriteStream stream = client.writes("127.0.0.1:" + server.getPort(), "m", false)) {
            List<CompletableFuture<FileVersion>> files = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                FilePath path = new FilePath("/f%d%s".formatted(i, i % 2 == 0 ? "good" : "bad"));
                files.add(stream.put(path, ByteBuffer.allocate(0), NEW));
            }
            for (int i = 0; i < files.size(); i++) {
                CompletableFuture<FileVersion> file = files.get(i);
                if (i % 2 == 0) {
                    assertThat(file.join().id()).isEqualTo(7);
                } else {
                    assertThatThrownBy(file::join)
                            .hasCauseInstanceOf(IOException.class)
                            .hasMessageContaining("makes no sense");
                }
            }
        } finally {
            server.shutdownNow();
        }
    }

    /** A worker without room for its first answers. */
    private static final class Full extends PeerGrpc.PeerImplBase {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public void read(ReadRequest request, StreamObserver<ReadChunk> to) {
            if (asked.incrementAndGet() <= 3) {
                to.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException());
                return;
            }
            to.onNext(ReadChunk.newBuilder()
                    .setData(ByteString.copyFrom(new byte[request.getLength()]))
                    .build());
            to.onCompleted();
        }
    }

    @Test
    void aReadThatIsRefusedForWantOfRoomIsAskedAgain() throws Exception {
        Full full = new Full();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(full)
                .build()
                .start();
        String address = "127.0.0.1:" + server.getPort();
        FilePath path = new FilePath("/f");
        FileVersion version = new FileVersion(7, 1);
        try (PeerClient client = new PeerClient(Security.NONE)) {
            assertThat(client.reading(Duration.ofSeconds(30)).read(address, "m", path, version, 0, 10))
                    .contains(ByteBuffer.allocate(10));
            assertThat(full.asked.get()).isEqualTo(4);
            full.asked.set(Integer.MIN_VALUE);
            assertThatThrownBy(() -> client.reading(Duration.ofMillis(100)).read(address, "m", path, version, 0, 10))
                    .isInstanceOf(UnavailableException.class);
        } finally {
            server.shutdownNow();
        }
    }
}
