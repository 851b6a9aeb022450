// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.packing.bdt.Bdt;
import io.packing.bdt.Outcome;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.rpc.MasterHealth;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master that does not do its work says so, to HTTP and to gRPC. */
@Timeout(60)
class MasterHealthTest {
    private final TestStores stores = new TestStores();

    @TempDir
    private Path data;

    private BdtMaster master;
    private Bdt table;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        master = BdtMaster.start(TestStores.config(data), stores).serve();
        table = master.open(TestStores.MOUNT);
        channel = NettyChannelBuilder.forAddress("127.0.0.1", master.port())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        master.kill();
    }

    private ServingStatus grpc() {
        return grpc(channel);
    }

    private static ServingStatus grpc(ManagedChannel to) {
        return HealthGrpc.newBlockingStub(to)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus();
    }

    private HttpResponse<String> http() throws IOException {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create("http://127.0.0.1:%d/healthz".formatted(master.metricsPort())))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> http(String path) throws IOException {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create("http://127.0.0.1:%d%s".formatted(master.metricsPort(), path)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Outcome mkdir(String path) throws IOException {
        return table.mkdir(new FilePath(path), MountFixture.DIRECTORY, true);
    }

    @Test
    void anErrorInTheWriterIsSeenInHealthWithItsReason() throws IOException {
        assertThat(grpc()).isEqualTo(ServingStatus.SERVING);
        stores.table().failNextWrite(new StackOverflowError("injected"));
        assertThatThrownBy(() -> mkdir("/a")).hasMessageContaining("injected");
        assertThat(grpc()).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(http().statusCode()).isEqualTo(503);
        assertThat(http().body()).contains("injected").contains("restart the master");
    }

    @Test
    void lostFilesAreSeenInHealthWithTheirPathsAndNeedNoRestart() throws IOException {
        WorkerSession worker = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        LostFilesFixture.granted(worker, "/lost\nname");
        assertThat(http("/readyz").statusCode()).isEqualTo(200);
        table.register(new WorkerRegistration("w", "127.0.0.1:1")).reclaimed();
        assertThat(grpc()).isEqualTo(ServingStatus.NOT_SERVING);
        while (!http().body().contains("/lost")) {
            assertThat(http().statusCode()).isEqualTo(503);
        }
        assertThat(http().body()).contains("1 files are lost", "/lost?name", "packing fsck");
        assertThat(http("/readyz").statusCode()).isEqualTo(503);
        assertThat(http("/livez").body()).isEqualTo("ok\n");
        assertThat(HealthGrpc.newBlockingStub(channel)
                        .check(HealthCheckRequest.newBuilder()
                                .setService(MasterHealth.LIVE)
                                .build())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
        assertThat(http("/metrics").body())
                .containsPattern("bdt_lost_files\\{mount=\"[^\"]*\"} 1.0")
                .containsPattern("bdt_lost_bytes\\{mount=\"[^\"]*\"} 8.0")
                .containsPattern("bdt_buffered_files\\{mount=\"[^\"]*\"} 0.0");
        assertThat(table.delete(new FilePath("/lost\nname"), false)).isEqualTo(Outcome.DONE);
        assertThat(grpc()).isEqualTo(ServingStatus.SERVING);
        assertThat(http().statusCode()).isEqualTo(200);
    }

    @Test
    void aWriterThatStoppedNeedsARestart() throws IOException {
        assertThat(http("/livez").statusCode()).isEqualTo(200);
        stores.table().failNextWrite(new StackOverflowError("injected"));
        assertThatThrownBy(() -> mkdir("/a")).hasMessageContaining("injected");
        assertThat(http("/livez").statusCode()).isEqualTo(503);
        assertThat(http("/livez").body()).contains("restart the master");
    }

    @Test
    void anErrorInAMutationLeavesTheMountWell() throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        assertThatThrownBy(() -> Waiting.on(mount.table().writer().submit(t -> {
                    throw new StackOverflowError("injected");
                })))
                .hasMessageContaining("injected");
        assertThat(mkdir("/a")).isEqualTo(Outcome.DONE);
        assertThat(grpc()).isEqualTo(ServingStatus.SERVING);
        // Background work may have been in the same batch. It tries again.
        while (!http().body().equals("ok\n")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void backgroundWorkThatFailsIsNamedAndDoesNotHoldUpTheRest() throws IOException {
        assertThat(mkdir("/tree/a")).isEqualTo(Outcome.DONE);
        // The first part meets a row that it cannot read; uploads come after it.
        stores.table().write(new WriteBatch().put(new byte[] {Keys.REAP, 1}, new byte[0]), SortedStore.Sync.NONE);
        Mount mount = master.openMount(TestStores.MOUNT);
        while (mount.upkeep().troubles().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(http().statusCode()).isEqualTo(200);
        assertThat(http().body()).startsWith("ok\nmount ").contains("reaping has failed for ");
        int before = stores.objects.puts();
        mount.upkeep().uploadJournalNow();
        assertThat(stores.objects.puts()).isGreaterThan(before);
    }

    @Test
    void aNameThatIsTooLongForAnAnswerEndsOneCallAndNotTheConnection() {
        HealthCheckRequest hostile =
                HealthCheckRequest.newBuilder().setService("/d".repeat(6_000)).build();
        assertThatThrownBy(() -> HealthGrpc.newBlockingStub(channel).check(hostile))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        refused -> assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
    }

    @Test
    void aMasterThatCannotSayHowItIsIsNotHealthy() throws IOException {
        AtomicBoolean throwing = new AtomicBoolean();
        MasterHealth health = new MasterHealth(
                () -> {
                    if (throwing.get()) {
                        throw new StackOverflowError("planted");
                    }
                    return Optional.empty();
                },
                Optional::empty);
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(health.service())
                .build()
                .start();
        ManagedChannel asking = NettyChannelBuilder.forTarget("127.0.0.1:" + server.getPort())
                .usePlaintext()
                .build();
        try {
            assertThat(grpc(asking)).isEqualTo(ServingStatus.SERVING);
            throwing.set(true);
            assertThat(grpc(asking)).isEqualTo(ServingStatus.NOT_SERVING);
            throwing.set(false);
            assertThat(grpc(asking)).isEqualTo(ServingStatus.SERVING);
        } finally {
            asking.shutdownNow();
            server.shutdownNow();
        }
    }
}
