// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.process.Ports;
import io.packing.sorted.SortedStoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that knows several masters finds the one that serves, and what it knew before is there. */
@Timeout(60)
class FailoverTest {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);
    private static final Heartbeat NOTHING = new Heartbeat(0, 0, List.of(), List.of());

    private final TestStores stores = new TestStores();

    @TempDir
    private Path firstData;

    @TempDir
    private Path secondData;

    private BdtMaster master(Path data, int port) throws IOException {
        return BdtMaster.start(config(data, port), stores).serve();
    }

    private static BdtMasterOptions config(Path data, int port) {
        return new BdtMasterOptions(data, "127.0.0.1", port, -1, SortedStoreOptions.Engine.LEVELDB, 1 << 20, 0);
    }

    private static GrpcBdts client(int... ports) {
        StringBuilder addresses = new StringBuilder();
        for (int port : ports) {
            addresses
                    .append(addresses.isEmpty() ? "" : ",")
                    .append("127.0.0.1:")
                    .append(port);
        }
        return GrpcBdts.connect(addresses.toString(), Duration.ofSeconds(30));
    }

    /** As Alluxio's master with the plugin answers while it is standby. */
    private static Server standby() throws IOException {
        ServerServiceDefinition real = new BdtGrpc.BdtImplBase() {}.bindService();
        ServerServiceDefinition.Builder refusing = ServerServiceDefinition.builder(real.getServiceDescriptor());
        real.getMethods().forEach(method -> refuse(refusing, method.getMethodDescriptor()));
        return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(refusing.build())
                .build()
                .start();
    }

    private static <Q, A> void refuse(ServerServiceDefinition.Builder to, MethodDescriptor<Q, A> method) {
        ServerCallHandler<Q, A> handler = (call, headers) -> {
            call.close(Status.UNAVAILABLE.withDescription("the BDT master has not started"), new Metadata());
            return new ServerCall.Listener<>() {};
        };
        to.addMethod(method, handler);
    }

    @Test
    void aDeadAddressAndAStandbyArePassedOver() throws IOException {
        Server standby = standby();
        try (BdtMaster master = master(firstData, 0);
                GrpcBdts client = client(Ports.free(1).get(0), standby.getPort(), master.port())) {
            Bdt table = client.open(TestStores.MOUNT);
            WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
            assertThat(claim(session, "/f")).isInstanceOf(ClaimResult.Granted.class);
            assertThat(session.heartbeat(NOTHING).lease()).isPositive();
        } finally {
            standby.shutdownNow();
        }
    }

    @Test
    void whenAllAreAwayTheMessageNamesThem() throws IOException {
        int first = Ports.free(1).get(0);
        int second = Ports.free(1).get(0);
        try (GrpcBdts client =
                GrpcBdts.connect("127.0.0.1:%d,127.0.0.1:%d".formatted(first, second), Duration.ofMillis(200))) {
            assertThatThrownBy(() -> client.open(TestStores.MOUNT))
                    .hasMessageContaining("127.0.0.1:%d,127.0.0.1:%d".formatted(first, second));
        }
        for (String wrong : List.of("h:1,", ",h:1", "h:1,,h:2", "h:1,h", "h:1 h:2x")) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> GrpcBdts.connect(wrong, Duration.ofSeconds(1)));
        }
    }

    @Test
    void theOtherMasterHasWhatWasThereAndTheFirstOneDoesNotServeItsOldTableAgain() throws IOException {
        BdtMaster first = master(firstData, 0);
        int firstPort = first.port();
        int secondPort = Ports.free(1).get(0);
        try (GrpcBdts client = client(firstPort, secondPort)) {
            Bdt table = client.open(TestStores.MOUNT);
            WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
            FileVersion version = ((ClaimResult.Granted) claim(session, "/a")).version();
            table.checkpoint();
            first.kill();
            try (BdtMaster second = BdtMaster.start(
                            config(secondData, secondPort).takingOver(), stores)
                    .serve()) {
                assertThatThrownBy(() -> session.heartbeat(NOTHING)).isInstanceOf(SessionExpiredException.class);
                WorkerSession again = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
                assertThat(again.reclaim(List.of(new Reclaim(version, new FilePath("/a"), FILE)))
                                .get(0))
                        .hasValue(version);
                again.reclaimed();
                assertThat(table.rename(new FilePath("/a"), new FilePath("/b"))).isEqualTo(Outcome.DONE);
                assertThat(second.mounts()).hasSize(1);
            }
            try (BdtMaster back = master(firstData, firstPort)) {
                assertThat(table.stat(new FilePath("/a"))).isEmpty();
                assertThat(table.stat(new FilePath("/b"))).isPresent();
                assertThat(back.mounts()).hasSize(1);
            }
        }
    }

    private static ClaimResult claim(WorkerSession session, String path) throws IOException {
        return session.claim(new Claim(session.newFileId(), new FilePath(path), FILE, true, true))
                .join();
    }
}
