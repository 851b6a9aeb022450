// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.transport.AccessControl;
import io.packing.transport.Security;
import io.packing.worker.read.Peers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads of bytes in blobs, beside the other calls of a worker. */
@Timeout(60)
final class StoredReadsTest {
    private static final FileVersion FILE = new FileVersion(1, 1);
    private static final int MANY = 100;

    private static Optional<ByteBuffer> stored(Peers peers, String address) throws Exception {
        return peers.readStored(address, "m", FilePath.ROOT, FILE, 0, 5);
    }

    @Test
    void bufferedBytesAreReadWhileTheStoreKeepsReadersOfBlobsWaiting() throws Exception {
        Engine engine = new Engine();
        CountDownLatch answered = new CountDownLatch(1);
        engine.read = length -> Optional.of(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}));
        engine.stored = length -> {
            await(answered);
            return Optional.of(ByteBuffer.wrap(new byte[] {6, 7, 8, 9, 10}));
        };
        ExecutorService readers = Executors.newFixedThreadPool(MANY);
        try (PeerServer server = PeerServer.start("127.0.0.1", 0, engine, AccessControl.open(PeerRights.RIGHTS));
                PeerClient client = new PeerClient(Security.NONE)) {
            String address = "127.0.0.1:" + server.port();
            Peers peers = client.reading(Duration.ofSeconds(30));
            List<CompletableFuture<Optional<ByteBuffer>>> waiting = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                waiting.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return stored(peers, address);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        readers));
            }
            engine.storedAsked.await();
            assertThat(peers.read(address, "m", FilePath.ROOT, FILE, 0, 5))
                    .contains(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}));
            assertThat(client.problem(address, "m", Duration.ofSeconds(30))).isEmpty();
            answered.countDown();
            for (CompletableFuture<Optional<ByteBuffer>> each : waiting) {
                assertThat(each.get()).contains(ByteBuffer.wrap(new byte[] {6, 7, 8, 9, 10}));
            }
        } finally {
            answered.countDown();
            readers.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A worker of an older version, which has none of this test's calls. */
    private static final class Older extends PeerGrpc.PeerImplBase {}

    @Test
    void aWorkerOfAnOlderVersionIsToBeUpdated() throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new Older())
                .build()
                .start();
        try (PeerClient client = new PeerClient(Security.NONE)) {
            Peers peers = client.reading(Duration.ofSeconds(30));
            assertThatThrownBy(() -> stored(peers, "127.0.0.1:" + server.getPort()))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("older version")
                    .hasMessageContaining("update it");
        } finally {
            server.shutdownNow();
        }
    }
}
