// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.rpc.BdtCodec;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.FindRequest;
import io.packing.bdt.rpc.LocateReply;
import io.packing.bdt.rpc.LocateRequest;
import io.packing.bdt.rpc.OpenReply;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.StatReply;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for many paths: in as many as their messages have room for, refused when they are none, and to a master of an older version. */
@Timeout(120)
final class FindOverGrpcTest extends FindFixture {
    private static final int EXTENTS = 6_000;

    /** A file of which each byte has an extent of its own. */
    private void claimExtents(String path, int number) throws IOException {
        long id = session.newFileId();
        FileAttributes attributes = new FileAttributes(EXTENTS, 0, "u", "g", 0644);
        ClaimResult result = session.claim(new Claim(id, new FilePath(path), attributes, true, true))
                .join();
        BlobName blob = new BlobName("w", 2 * EXTENTS, number);
        List<BlobExtent> extents = new ArrayList<>();
        for (int i = 0; i < EXTENTS; i++) {
            extents.add(new BlobExtent(blob, new Extent(i, 1, 2L * i, 1, Codec.NONE, i)));
        }
        HeartbeatReply reply = session.heartbeat(new Heartbeat(
                0,
                0,
                List.of(new PushedBlob(blob, 3 * EXTENTS)),
                List.of(new CommittedFile(((ClaimResult.Granted) result).version(), extents))));
        assertThat(reply.drop()).isEmpty();
    }

    @Test
    void anAnswerThatIsTooLargeIsAskedForInParts() throws IOException {
        claim("/d/small");
        for (int i = 1; i <= 3; i++) {
            claimExtents("/d/large-" + i, i);
        }
        List<FilePath> paths =
                paths("/d/large-1", "/none", "/d/large-2", "/d/small", "/d/large-3", "/d/large-1", "/d", "/d/small");
        assertThat(master.openMount(TestStores.MOUNT).table().find(paths)).hasSize(3);
        double before = requests();
        List<FoundEntry> found = remote.find(paths);
        assertThat(requests() - before).isEqualTo(3);
        assertThat(found).isEqualTo(findsAsAlone(table, paths));
        assertThat(((Placement.Packed)
                                found.get(5).entry().orElseThrow().placement().orElseThrow())
                        .extents())
                .hasSize(EXTENTS);
    }

    @Test
    void longPathsAreAskedForInSeveralRequests() throws IOException {
        // Three bytes a character.
        String deep = "/\u20ac".repeat(20_000);
        claim("/d/a");
        List<FilePath> paths = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            paths.add(new FilePath(deep + i));
        }
        paths.addAll(paths("/d/a", "/d"));
        double before = requests();
        List<FoundEntry> found = remote.find(paths);
        assertThat(requests() - before).isBetween(2.0, 10.0);
        assertThat(found).isEqualTo(table.find(paths));
        assertThat(found.subList(0, 30)).containsOnly(FoundEntry.NOTHING);
        assertThat(found.get(30).entry()).isPresent();
    }

    @Test
    void whatIsNoRequestIsRefusedWithItsReason() throws IOException {
        ManagedChannel channel = NettyChannelBuilder.forTarget("127.0.0.1:" + master.port())
                .usePlaintext()
                .disableRetry()
                .build();
        try {
            BdtGrpc.BdtBlockingStub stub = BdtGrpc.newBlockingStub(channel);
            String mount = stub.open(OpenRequest.newBuilder()
                            .putAllOptions(TestStores.MOUNT)
                            .build())
                    .getMount();
            FindRequest none = FindRequest.newBuilder().setMount(mount).build();
            assertThat(stub.find(none).getFoundList()).isEmpty();
            FindRequest thousand = none.toBuilder()
                    .addAllPaths(Collections.nCopies(1_000, "/"))
                    .build();
            assertThat(stub.find(thousand).getFoundList())
                    .hasSize(1_000)
                    .allMatch(each ->
                            each.hasStatus() && each.getStatus().getPath().isEmpty());
            refused(() -> stub.find(thousand.toBuilder().addPaths("/").build()), "1001 paths to look up at once");
            // A large message is not even parsed.
            FindRequest large = none.toBuilder()
                    .addAllPaths(Collections.nCopies(1_001, "/p".repeat(100)))
                    .build();
            refused(() -> stub.find(large), "packing.bdt.v1.FindRequest.paths");
            refused(
                    () -> stub.find(
                            none.toBuilder().addPaths("/a").addPaths("b").build()),
                    "b");
            refused(() -> stub.find(none.toBuilder().addPaths("/a//b").build()), "/a//b");
            refused(
                    () -> stub.find(
                            none.toBuilder().addPaths("p".repeat(1 << 20)).build()),
                    "1048576");
        } finally {
            channel.shutdownNow();
        }
    }

    private static void refused(ThrowingCallable call, String why) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(e.getStatus().getDescription()).contains(why);
        });
    }

    @Test
    void anOlderMasterIsAskedForEachPath() throws IOException {
        file();
        push(true);
        Server older = olderMaster();
        try (GrpcBdts bdts = GrpcBdts.connect("127.0.0.1:" + older.getPort(), Duration.ofSeconds(60))) {
            Bdt asked = bdts.open(TestStores.MOUNT);
            List<FilePath> paths = paths("/", "/d/a", "/none", "/d/a/x", "/d");
            assertThat(asked.find(paths)).isEqualTo(table.find(paths));
        } finally {
            older.shutdownNow();
        }
    }

    /** One that does not know the call. */
    private Server olderMaster() throws IOException {
        return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(new BdtGrpc.BdtImplBase() {
                    @Override
                    public void open(OpenRequest request, StreamObserver<OpenReply> to) {
                        to.onNext(OpenReply.newBuilder().setMount("m").build());
                        to.onCompleted();
                    }

                    @Override
                    public void stat(PathRequest request, StreamObserver<StatReply> to) {
                        try {
                            to.onNext(BdtCodec.statReply(table.stat(new FilePath(request.getPath()))));
                            to.onCompleted();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }

                    @Override
                    public void locate(LocateRequest request, StreamObserver<LocateReply> to) {
                        try {
                            to.onNext(BdtCodec.locateReply(table.locate(new FilePath(request.getPath()))));
                            to.onCompleted();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                })
                .build()
                .start();
    }
}
