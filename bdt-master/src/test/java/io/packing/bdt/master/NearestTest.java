// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.rpc.BdtCodec;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.OpenReply;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.StatReply;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lookup of a path, or of the nearest entry above: at a local master, a remote one, and an older one. */
class NearestTest {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);

    @TempDir
    Path data;

    private BdtMaster master;
    private Bdt local;

    @BeforeEach
    void start() throws IOException {
        master = BdtMaster.start(TestStores.config(data), new TestStores());
        local = master.open(TestStores.MOUNT);
        WorkerSession session = local.register(new WorkerRegistration("w", "127.0.0.1:1"));
        Claim claim = new Claim(session.newFileId(), new FilePath("/d/e/f"), FILE, true, true);
        assertThat(session.claim(claim).join()).isInstanceOf(ClaimResult.Granted.class);
    }

    @AfterEach
    void stop() {
        master.kill();
    }

    private static void assertNearest(Bdt table, String asked, String found, boolean directory) throws IOException {
        FileStatus nearest = table.nearest(new FilePath(asked));
        assertThat(nearest.path().value()).as(asked).isEqualTo(found);
        assertThat(nearest.isDirectory()).as(asked).isEqualTo(directory);
    }

    private static void assertAll(Bdt table) throws IOException {
        assertNearest(table, "/", "/", true);
        assertNearest(table, "/none", "/", true);
        assertNearest(table, "/none/x/y", "/", true);
        assertNearest(table, "/d", "/d", true);
        assertNearest(table, "/d/none", "/d", true);
        assertNearest(table, "/d/e/none/x", "/d/e", true);
        assertNearest(table, "/d/e/f", "/d/e/f", false);
        assertNearest(table, "/d/e/f/below", "/d/e/f", false);
        assertNearest(table, "/d/e/f/x/y", "/d/e/f", false);
    }

    @Test
    void aMasterOfThisProcessTells() throws IOException {
        assertAll(local);
    }

    @Test
    void aMasterTellsOverTheWireInOneRequest() throws IOException {
        master.serve();
        try (GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(60))) {
            Bdt table = client.open(TestStores.MOUNT);
            assertAll(table);
            double before = requests();
            assertNearest(table, "/d/e/none/x/y/z", "/d/e", true);
            assertThat(requests() - before).isEqualTo(1);
        }
    }

    @Test
    void anOlderMasterIsAskedForEachPathAbove() throws IOException {
        Server older = olderMaster();
        try (GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + older.getPort(), Duration.ofSeconds(60))) {
            assertAll(client.open(TestStores.MOUNT));
        } finally {
            older.shutdownNow();
        }
    }

    private double requests() {
        return master.metrics()
                .scrape()
                .lines()
                .filter(line -> line.startsWith("bdt_requests_total{method=\"Stat\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** Starts a master of an older version, which cannot look up the nearest entry above a path. */
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
                        FilePath path = new FilePath(request.getPath());
                        try {
                            to.onNext(BdtCodec.statReply(local.stat(path)));
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
