// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.ClaimBatch;
import io.packing.bdt.rpc.ClaimBatchReply;
import io.packing.bdt.rpc.OpenReply;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.RegisterReply;
import io.packing.bdt.rpc.RegisterRequest;
import io.packing.bdt.rpc.StatReply;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A leader that is stopped or cut off breaks no connection, and clients have to find the next one nevertheless. */
@Timeout(60)
final class SilentMasterTest {
    /** A timeout shorter than the time to notice a dead connection. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final List<Server> servers = new ArrayList<>();

    /** A master that leads. */
    private static class Leader extends BdtGrpc.BdtImplBase {
        final AtomicInteger stats = new AtomicInteger();
        volatile boolean silent;

        @Override
        public void open(OpenRequest request, StreamObserver<OpenReply> to) {
            if (!silent) {
                to.onNext(OpenReply.newBuilder().setMount("m").build());
                to.onCompleted();
            }
        }

        @Override
        public void register(RegisterRequest request, StreamObserver<RegisterReply> to) {
            if (!silent) {
                to.onNext(RegisterReply.newBuilder().setEpoch(1).build());
                to.onCompleted();
            }
        }

        @Override
        public void stat(PathRequest request, StreamObserver<StatReply> to) {
            stats.incrementAndGet();
            if (!silent) {
                to.onNext(StatReply.getDefaultInstance());
                to.onCompleted();
            }
        }

        @Override
        public StreamObserver<ClaimBatch> claims(StreamObserver<ClaimBatchReply> to) {
            return new StreamObserver<>() {
                @Override
                public void onNext(ClaimBatch batch) {
                    if (!silent) {
                        ClaimBatchReply.Builder reply = ClaimBatchReply.newBuilder();
                        batch.getClaimsList()
                                .forEach(claim -> reply.addAnswers(
                                        ClaimBatchReply.Answer.newBuilder().setGeneration(7)));
                        to.onNext(reply.build());
                    }
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

    /** A master that names another one as the leader. */
    private static final class Follower extends BdtGrpc.BdtImplBase {
        volatile String leader = "";

        private Throwable refusal() {
            return StatusMapping.toStatus(new NotLeaderException(
                    "another one leads", Optional.of(leader).filter(name -> !name.isEmpty())));
        }

        @Override
        public void open(OpenRequest request, StreamObserver<OpenReply> to) {
            to.onError(refusal());
        }

        @Override
        public void stat(PathRequest request, StreamObserver<StatReply> to) {
            to.onError(refusal());
        }
    }

    private String start(BindableService service) throws IOException {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(service)
                .build()
                .start();
        servers.add(server);
        return "127.0.0.1:" + server.getPort();
    }

    @AfterEach
    void stop() {
        servers.forEach(Server::shutdownNow);
    }

    private static Claim claim() {
        return new Claim(1, new FilePath("/f"), new FileAttributes(0, 0, "", "", 0644), true, true);
    }

    @Test
    void callsAndClaimsAtALeaderThatFallsSilentGoToTheOneThatOthersName() throws Exception {
        Leader first = new Leader();
        Follower follower = new Follower();
        Leader next = new Leader();
        String at = start(first);
        String other = start(follower);
        String nextAt = start(next);
        follower.leader = at;
        try (GrpcBdts client = GrpcBdts.connect(at + "," + other, TIMEOUT);
                WorkerSession session = client.open(Map.of()).register(new WorkerRegistration("w", "127.0.0.1:1"))) {
            first.silent = true;
            CompletableFuture<ClaimResult> claim = session.claim(claim());
            CompletableFuture<Boolean> stat = CompletableFuture.supplyAsync(() -> isThere(client));
            follower.leader = nextAt;
            assertThat(claim.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(ClaimResult.Granted.class);
            assertThat(stat.get()).isFalse();
            assertThat(next.stats).hasPositiveValue();
        }
    }

    private static boolean isThere(GrpcBdts client) {
        try {
            return client.open(Map.of()).stat(new FilePath("/f")).isPresent();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whileAGroupElectsItsLeaderItIsAskedOften() throws Exception {
        Follower first = new Follower();
        Follower second = new Follower();
        List<Long> pauses = Collections.synchronizedList(new ArrayList<>());
        AtomicLong now = new AtomicLong();
        try (GrpcBdts client = GrpcBdts.over(
                List.of(start(first), start(second)),
                address -> Channels.open(
                        address, new ConnectionOptions(1 << 20, TIMEOUT, Duration.ofSeconds(10), TIMEOUT)),
                "both",
                Duration.ofSeconds(30),
                now::get,
                millis -> {
                    pauses.add(millis);
                    now.addAndGet(millis * 1_000_000);
                },
                Seed.random(),
                warning -> {})) {
            assertThatThrownBy(() -> client.open(Map.of())).hasMessageContaining("did not answer for 30 s");
        }
        assertThat(pauses)
                .hasSizeGreaterThan(60)
                .allSatisfy(pause -> assertThat(pause).isLessThanOrEqualTo(400));
    }

    @Test
    void aLeaderThatTakesLongIsNotLeftWhileOthersNameIt() throws Exception {
        Leader slow = new Leader() {
            @Override
            public void stat(PathRequest request, StreamObserver<StatReply> to) {
                CompletableFuture.delayedExecutor(2_500, TimeUnit.MILLISECONDS).execute(() -> super.stat(request, to));
            }
        };
        Follower follower = new Follower();
        String at = start(slow);
        String other = start(follower);
        follower.leader = at;
        try (GrpcBdts client = GrpcBdts.connect(at + "," + other, TIMEOUT)) {
            assertThat(isThere(client)).isFalse();
            assertThat(slow.stats).hasValue(1);
        }
    }

    @Test
    void whereNobodyKnowsALeaderTheCallEndsByItsOwnTimeout() throws Exception {
        Leader silent = new Leader();
        Follower follower = new Follower();
        String at = start(silent);
        String other = start(follower);
        try (GrpcBdts client = GrpcBdts.connect(at + "," + other, Duration.ofSeconds(3))) {
            silent.silent = true;
            CompletableFuture<Boolean> stat = CompletableFuture.supplyAsync(() -> isThere(client));
            assertThat(stat)
                    .failsWithin(TIMEOUT)
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("did not answer for 3 s");
        }
    }
}
