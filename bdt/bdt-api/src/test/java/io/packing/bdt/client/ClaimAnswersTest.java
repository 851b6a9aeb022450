// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.ClaimBatch;
import io.packing.bdt.rpc.ClaimBatchReply;
import io.packing.bdt.rpc.OpenReply;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.bdt.rpc.RegisterReply;
import io.packing.bdt.rpc.RegisterRequest;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's handling of senseless answers of a master to claims. */
@Timeout(60)
final class ClaimAnswersTest {
    /** A master that refuses every file with an even id for an unknown reason. */
    private static final class Odd extends BdtGrpc.BdtImplBase {
        @Override
        public void open(OpenRequest request, StreamObserver<OpenReply> to) {
            to.onNext(OpenReply.newBuilder().setMount("m").build());
            to.onCompleted();
        }

        @Override
        public void register(RegisterRequest request, StreamObserver<RegisterReply> to) {
            to.onNext(RegisterReply.newBuilder().setEpoch(1).build());
            to.onCompleted();
        }

        @Override
        public StreamObserver<ClaimBatch> claims(StreamObserver<ClaimBatchReply> to) {
            return new StreamObserver<>() {
                @Override
                public void onNext(ClaimBatch batch) {
                    ClaimBatchReply.Builder reply = ClaimBatchReply.newBuilder();
                    batch.getClaimsList()
                            .forEach(claim -> reply.addAnswers(
                                    claim.getFileId() % 2 == 0
                                            ? ClaimBatchReply.Answer.newBuilder()
                                                    .setRefusalValue(99)
                                            : ClaimBatchReply.Answer.newBuilder()
                                                    .setGeneration(claim.getFileId())));
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

    /** A test's body, which may throw. */
    private interface Body {
        void run(WorkerSession session) throws Exception;
    }

    private static void with(Body body) throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new Odd())
                .build()
                .start();
        try (GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + server.getPort(), Duration.ofSeconds(30));
                WorkerSession session = client.open(Map.of()).register(new WorkerRegistration("w", "127.0.0.1:1"))) {
            body.run(session);
        } finally {
            server.shutdownNow();
        }
    }

    private static Claim claim(long id) {
        return new Claim(id, new FilePath("/f" + id), new FileAttributes(0, 0, "", "", 0644), true, true);
    }

    @Test
    void oneBadAnswerFailsOneClaimAndTheOthersOfItsBatchAreAnswered() throws Exception {
        with(session -> {
            List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
            session.together(() -> {
                for (long id = 1; id <= 9; id++) {
                    claims.add(session.claim(claim(id)));
                }
            });
            for (int i = 0; i < claims.size(); i++) {
                CompletableFuture<ClaimResult> claim = claims.get(i);
                if (i % 2 == 0) {
                    assertThat(claim.join()).isInstanceOf(ClaimResult.Granted.class);
                } else {
                    assertThatThrownBy(claim::join)
                            .hasCauseInstanceOf(IOException.class)
                            .hasMessageContaining("makes no sense");
                }
            }
        });
    }

    /** As after some seconds without the master, when all written files wait for an answer. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void moreClaimsThanMayWaitAreMadeTogether() throws Exception {
        with(session -> {
            List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
            session.together(() -> {
                for (long id = 1; id <= 200_000; id += 2) {
                    claims.add(session.claim(claim(id)));
                }
            });
            assertThat(claims).allSatisfy(claim -> assertThat(claim.join()).isInstanceOf(ClaimResult.Granted.class));
        });
    }
}
