// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.ListReply;
import io.packing.bdt.rpc.ListRequest;
import io.packing.bdt.rpc.LocateReply;
import io.packing.bdt.rpc.LocateRequest;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.ScanReply;
import io.packing.bdt.rpc.ScanRequest;
import io.packing.bdt.rpc.StatReply;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.fuzz.battle.Finds;
import io.packing.fuzz.battle.Vitals;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A test that the fuzz finds planted bugs: its silence must mean something. */
@Timeout(120)
final class PlantedBugTest {
    private static final long SEED = Long.getLong("packing.seed", 1);

    /**
     * A server with bugs: Stat fails with a relative path, Locate with versions, Scan with new parts; List never
     * answers.
     */
    private static final class Planted extends BdtGrpc.BdtImplBase {
        @Override
        public void stat(PathRequest request, StreamObserver<StatReply> to) {
            if (!request.getPath().startsWith("/")) {
                to.onError(StatusMapping.toStatus(new IllegalStateException("planted in Stat")));
                return;
            }
            to.onNext(StatReply.getDefaultInstance());
            to.onCompleted();
        }

        @Override
        public void locate(LocateRequest request, StreamObserver<LocateReply> to) {
            if (request.hasVersion()) {
                throw new AssertionError("planted in Locate");
            }
            to.onNext(LocateReply.getDefaultInstance());
            to.onCompleted();
        }

        @Override
        public void scan(ScanRequest request, StreamObserver<ScanReply> to) {
            if (request.getPart() == ScanRequest.Part.UNRECOGNIZED) {
                throw new AssertionError("planted in Scan");
            }
            to.onNext(ScanReply.getDefaultInstance());
            to.onCompleted();
        }

        @Override
        public void list(ListRequest request, StreamObserver<ListReply> to) {}
    }

    private static List<Finds.Find> attack(int calls, Set<String> methods) throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new Planted())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forTarget("127.0.0.1:" + server.getPort())
                .usePlaintext()
                .build();
        try {
            Finds finds = new Finds();
            Attack attack = new Attack(
                    Rpc.of(BdtGrpc.getServiceDescriptor(), channel).stream()
                            .filter(rpc -> methods.contains(rpc.name()))
                            .toList(),
                    new MessageMaker(new FieldValues()),
                    new Spared("good")::spares,
                    new CallMaker(1),
                    CallJudge::ofCallers,
                    finds,
                    SEED);
            for (int i = 0; i < calls; i++) {
                attack.step();
            }
            return finds.all();
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    @Test
    void aHandlerThatFailsIsFoundWithTheSmallestMessage() throws Exception {
        assertThat(attack(300, Set.of("Stat", "Locate", "Scan")))
                .as("seed %d", SEED)
                .anySatisfy(find -> {
                    assertThat(find.what()).contains("Stat ends with INTERNAL").contains("planted in Stat");
                    assertThat(find.message()).contains("packing.bdt.v1.PathRequest {}");
                })
                .anySatisfy(find -> {
                    assertThat(find.what()).contains("Locate ends with UNKNOWN");
                    assertThat(find.message()).contains("{version {");
                })
                .anySatisfy(find -> {
                    assertThat(find.what()).contains("Scan ends with UNKNOWN");
                    // The smallest message has the unknown part alone.
                    assertThat(find.message()).containsPattern("ScanRequest \\{2: [0-9]+}");
                });
    }

    @Test
    void aHandlerThatNeverAnswersIsFound() throws Exception {
        assertThat(attack(3, Set.of("List")))
                .as("seed %d", SEED)
                .extracting(Finds.Find::what)
                .contains("List hangs");
    }

    @Test
    void aMethodThatTheServerLacksIsFound() throws Exception {
        assertThat(attack(3, Set.of("Workers")))
                .extracting(Finds.Find::what)
                .anyMatch(what -> what.contains("UNIMPLEMENTED"));
    }

    @Test
    void aThreadThatDiesAndMemoryThatGrowsAreFound() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "bdt-planted");
        thread.start();
        Vitals before = Vitals.now();
        assertThat(Vitals.now().worseThan(before)).isEmpty();
        end.countDown();
        thread.join();
        byte[] grown = new byte[80 << 20];
        assertThat(Vitals.now().worseThan(before))
                .contains("thread bdt-planted is dead")
                .anyMatch(worse -> worse.startsWith("heap bytes grew"));
        assertThat(grown).hasSize(80 << 20);
    }
}
