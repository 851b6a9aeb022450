// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.CommitBatch;
import io.packing.bdt.rpc.HeartbeatReplyMessage;
import io.packing.bdt.rpc.HeartbeatRequest;
import io.packing.bdt.rpc.ListReply;
import io.packing.bdt.rpc.ListRequest;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.ReclaimMessage;
import io.packing.bdt.rpc.ReclaimReply;
import io.packing.bdt.rpc.ReclaimRequest;
import io.packing.bdt.rpc.Session;
import io.packing.bdt.rpc.StatReply;
import io.packing.bdt.rpc.Version;
import io.packing.blob.FilePath;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages that are as large as they may be, or larger, at a master with little memory in a process of its own. */
@Timeout(300)
@Tag("process")
final class LargeMessagesTest {
    private static final int MB = 1 << 20;
    /** Calls with a message of 250 KB each; the master has room for 160 of them. */
    private static final int MORE_THAN_FIT = 400;

    /** Names with 200 letters of which one answer tells. */
    private static final int LISTED = 2_000;

    @TempDir
    private Path temp;

    private String store;
    private Process process;
    private Path errors;
    private ManagedChannel channel;
    private GrpcBdts client;
    private Bdt table;

    @BeforeEach
    void start() throws IOException {
        errors = temp.resolve("errors");
        store = Files.createDirectories(temp.resolve("store")).toUri().toString();
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallMaster.class.getName(),
                        temp.resolve("data").toString(),
                        store)
                .redirectError(errors.toFile())
                .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = String.valueOf(out.readLine());
        while (!line.matches("[0-9]+")) {
            line = String.valueOf(out.readLine());
        }
        // The process would stop if the test did not read its log.
        Thread drain = new Thread(() -> out.lines().forEach(logged -> {}), "drain");
        drain.setDaemon(true);
        drain.start();
        String address = "127.0.0.1:" + line;
        channel = NettyChannelBuilder.forTarget(address)
                .usePlaintext()
                .disableRetry()
                .build();
        client = GrpcBdts.connect(address, Duration.ofSeconds(60));
        table = client.open(Map.of("packing.store", store));
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        channel.shutdownNow();
        process.getOutputStream().close();
        process.waitFor();
    }

    /** So many calls at a time, while an honest client makes directories. */
    private <T> void storm(int calls, Consumer<StreamObserver<T>> call) throws Exception {
        List<CompletableFuture<Status>> ends = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            CompletableFuture<Status> end = new CompletableFuture<>();
            ends.add(end);
            call.accept(new StreamObserver<T>() {
                @Override
                public void onNext(T answer) {}

                @Override
                public void onError(Throwable cause) {
                    end.complete(Status.fromThrowable(cause));
                }

                @Override
                public void onCompleted() {
                    end.complete(Status.OK);
                }
            });
            FilePath honest = new FilePath("/honest-%d-%d".formatted(calls, i));
            assertThat(table.mkdir(honest, new DirectoryAttributes("u", "g", 0755), false))
                    .isEqualTo(Outcome.DONE);
        }
        for (CompletableFuture<Status> end : ends) {
            assertThat(end.join().getCode())
                    .as("%s", end.join())
                    .isIn(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED, Status.Code.NOT_FOUND);
        }
        assertThat(process.isAlive()).as(Files.readString(errors)).isTrue();
        assertThat(Files.readString(errors)).doesNotContain("OutOfMemory");
        assertThat(table.list(FilePath.ROOT, "", 10_000).orElseThrow()).hasSizeGreaterThanOrEqualTo(calls);
    }

    private static ReclaimRequest reclaim() {
        List<ReclaimMessage> files = Collections.nCopies(
                9_000,
                ReclaimMessage.newBuilder()
                        .setVersion(Version.newBuilder().setId(1))
                        .setPath("/p".repeat(220))
                        .build());
        return ReclaimRequest.newBuilder()
                .setSession(Session.newBuilder().setMount("nosuch"))
                .addAllFiles(files)
                .build();
    }

    private static HeartbeatRequest heartbeat() {
        // Small numbers make large lists.
        return HeartbeatRequest.newBuilder()
                .setSession(Session.newBuilder().setMount("nosuch"))
                .setCommits(CommitBatch.newBuilder()
                        .addAllLengths(Collections.nCopies(1 << 20, 1))
                        .addAllFileOffsets(Collections.nCopies(1 << 20, 1L << 60))
                        .addAllBlobOffsets(Collections.nCopies(1 << 20, 1L << 60)))
                .build();
    }

    @Test
    void twelveLargestHeartbeatsDoNotRunAMasterOutOfMemory() throws Exception {
        HeartbeatRequest largest = heartbeat();
        assertThat(largest.getSerializedSize()).isBetween(16 * MB, 32 * MB);
        this.<HeartbeatReplyMessage>storm(12, to -> BdtGrpc.newStub(channel).heartbeat(largest, to));
    }

    @Test
    void aHundredLargestReclaimsDoNotRunAMasterOutOfMemory() throws Exception {
        ReclaimRequest largest = reclaim();
        assertThat(largest.getSerializedSize()).isBetween(3 * MB, 4 * MB);
        this.<ReclaimReply>storm(100, to -> BdtGrpc.newStub(channel).reclaim(largest, to));
    }

    /** Each has a message that every call may have, and never says that this is all. */
    @Test
    void thousandsOfCallsThatDoNotEndDoNotRunAMasterOutOfMemory() throws Exception {
        PathRequest message =
                PathRequest.newBuilder().setPath("p".repeat(250 << 10)).build();
        // A client sends the only message of a call when it says that this is all.
        MethodDescriptor<PathRequest, StatReply> stat = BdtGrpc.getStatMethod().toBuilder()
                .setType(MethodDescriptor.MethodType.CLIENT_STREAMING)
                .build();
        Semaphore others = new Semaphore(MORE_THAN_FIT);
        Set<Status.Code> ends = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 4_000; i++) {
            // Or else they would be more than this JVM has room for.
            others.acquire();
            ClientCall<PathRequest, StatReply> call = channel.newCall(stat, CallOptions.DEFAULT);
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            // It would keep what the server did not take.
                            call.cancel("it has ended", null);
                            ends.add(status.getCode());
                            others.release();
                        }
                    },
                    new Metadata());
            call.sendMessage(message);
            if (i % 100 == 0) {
                assertThat(table.mkdir(new FilePath("/honest-" + i), new DirectoryAttributes("u", "g", 0755), false))
                        .isEqualTo(Outcome.DONE);
            }
        }
        assertThat(ends).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(table.list(FilePath.ROOT, "", 10_000).orElseThrow()).hasSize(40);
        assertThat(process.isAlive()).as(Files.readString(errors)).isTrue();
        assertThat(Files.readString(errors)).doesNotContain("OutOfMemory");
    }

    /** Each is of half a megabyte, for a client that reads none of them. */
    @Test
    void thousandsOfAnswersThatNobodyTakesDoNotRunAMasterOutOfMemory() throws Exception {
        FilePath full = new FilePath("/full");
        assertThat(table.mkdir(full, new DirectoryAttributes("u", "g", 0755), false))
                .isEqualTo(Outcome.DONE);
        for (int i = 0; i < LISTED; i++) {
            FilePath name = full.child("%04d%s".formatted(i, "n".repeat(200)));
            assertThat(table.mkdir(name, new DirectoryAttributes("u", "g", 0755), false))
                    .isEqualTo(Outcome.DONE);
        }
        ListRequest request = ListRequest.newBuilder()
                .setMount(DataDirectory.mountId(store))
                .setDirectory(full.value())
                .setLimit(LISTED)
                .build();
        ManagedChannel deaf = NettyChannelBuilder.forTarget(channel.authority())
                .usePlaintext()
                .disableRetry()
                // Otherwise this JVM would hold unread answers.
                .flowControlWindow(NettyChannelBuilder.DEFAULT_FLOW_CONTROL_WINDOW / 16)
                .build();
        Set<Status.Code> ends = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 2_000; i++) {
            ClientCall<ListRequest, ListReply> call = deaf.newCall(BdtGrpc.getListMethod(), CallOptions.DEFAULT);
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            ends.add(status.getCode());
                        }
                    },
                    new Metadata());
            // It never asks for the answer.
            call.sendMessage(request);
            call.halfClose();
            if (i % 20 == 0) {
                assertThat(table.list(full, "", LISTED).orElseThrow()).hasSize(LISTED);
                FilePath honest = new FilePath("/honest-" + i);
                assertThat(table.mkdir(honest, new DirectoryAttributes("u", "g", 0755), false))
                        .isEqualTo(Outcome.DONE);
            }
        }
        assertThat(ends).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
        deaf.shutdownNow();
        assertThat(table.list(full, "", LISTED).orElseThrow()).hasSize(LISTED);
        assertThat(process.isAlive()).as(Files.readString(errors)).isTrue();
        assertThat(Files.readString(errors)).doesNotContain("OutOfMemory");
    }

    @Test
    void largerAndFullerMessagesAreRefusedWithTheirLimit() {
        BdtGrpc.BdtBlockingStub stub = BdtGrpc.newBlockingStub(channel);
        PathRequest large =
                PathRequest.newBuilder().setPath("p".repeat(300 << 10)).build();
        assertRefused(() -> stub.stat(large), "262144");
        ReclaimRequest full = ReclaimRequest.newBuilder()
                .addAllFiles(Collections.nCopies(100_000, ReclaimMessage.getDefaultInstance()))
                .build();
        assertRefused(() -> stub.reclaim(full), "packing.bdt.v1.ReclaimRequest.files");
    }

    @Test
    void whatIsNoMessageIsRefusedAndTheConnectionGoesOn() throws IOException {
        BdtGrpc.BdtBlockingStub stub = BdtGrpc.newBlockingStub(channel);
        PathRequest invalid = PathRequest.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                1,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(new byte[] {(byte) 0xED, (byte) 0xA0}))
                                        .build())
                        .build())
                .build();
        assertRefused(() -> stub.stat(invalid), "UTF-8");
        assertThat(table.stat(FilePath.ROOT)).isPresent();
    }

    @Test
    void aLongNameInAnErrorDoesNotEndTheConnection() {
        BdtGrpc.BdtBlockingStub stub = BdtGrpc.newBlockingStub(channel);
        PathRequest request = PathRequest.newBuilder()
                .setMount("m".repeat(60_000))
                .setPath("/a")
                .build();
        assertThatThrownBy(() -> stub.stat(request))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
    }

    private static void assertRefused(ThrowableAssert.ThrowingCallable call, String why) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(e.getStatus().getDescription()).contains(why);
        });
    }
}
