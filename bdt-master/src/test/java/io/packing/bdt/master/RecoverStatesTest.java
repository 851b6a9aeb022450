// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.packing.bdt.MountStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.rpc.MasterHealth;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After each failure of docs/recover.md health, metrics, page and mounts say what its table there says. */
@Timeout(120)
class RecoverStatesTest extends LostFilesFixture {
    private ManagedChannel channel;

    @BeforeEach
    void serve() throws IOException {
        master = master.serve();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", master.port())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void hangUp() {
        channel.shutdownNow();
    }

    private HttpResponse<String> get(String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:%d%s".formatted(master.metricsPort(), path));
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private ServingStatus grpc(String service) {
        return HealthGrpc.newBlockingStub(channel)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    private MountStatus mounts() throws IOException {
        return master.mounts().iterator().next().status();
    }

    /** The page is made anew once a second. */
    private void awaitPage(String part) throws IOException {
        while (!get("/api/status").body().contains(part)) {
            Thread.onSpinWait();
        }
    }

    private void assertReady() throws IOException {
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(grpc("")).isEqualTo(ServingStatus.SERVING);
        assertThat(mounts().problem()).isEmpty();
        assertAlive();
    }

    private void assertNotReady(String why) throws IOException {
        assertThat(get("/healthz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/healthz").body()).contains(why);
        assertThat(grpc("")).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(mounts().problem()).contains(why);
        awaitPage(why);
    }

    private void assertAlive() throws IOException {
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(grpc(MasterHealth.LIVE)).isEqualTo(ServingStatus.SERVING);
    }

    private void loseWorker() throws IOException {
        session = register("w");
        session.reclaimed();
    }

    @Test
    void aWorkersDiskIsLostAndTheFilesAreRepaired() throws IOException {
        granted(session, "/a");
        assertReady();
        loseWorker();
        assertNotReady("1 files are lost: workers came back without their 8 bytes");
        assertAlive();
        assertThat(mounts().statistics().lostFiles()).isEqualTo(1);
        assertThat(mounts().statistics().bufferedFiles()).isZero();
        assertThat(get("/metrics").body()).containsPattern("bdt_lost_files\\{mount=\"[^\"]*\"} 1.0");
        awaitPage("\"lost_files\":1");
        assertThat(table.mkdir(new FilePath("/lost+found/x"), DIRECTORY, true)).isEqualTo(Outcome.DONE);
        rename("/a", "/lost+found/x/a");
        assertReady();
        assertThat(get("/metrics").body()).containsPattern("bdt_lost_files\\{mount=\"[^\"]*\"} 0.0");
        awaitPage("\"lost_files\":0");
    }

    @Test
    void theMastersProcessEndedAndWasStartedAgain() throws IOException {
        granted(session, "/a");
        crashMaster();
        serve();
        assertReady();
        loseWorker();
        crashMaster();
        serve();
        assertNotReady("1 files are lost");
    }

    @Test
    void theTableCannotBeWritten() throws IOException {
        stores.table().failNextWrite(new StackOverflowError("injected"));
        assertThatThrownBy(() -> table.mkdir(new FilePath("/a"), DIRECTORY, true))
                .hasMessageContaining("injected");
        assertNotReady("restart the master");
        assertThat(get("/livez").statusCode()).isEqualTo(503);
        assertThat(grpc(MasterHealth.LIVE)).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
    }

    @Test
    void aRecoveryCouldNotReadAnObject() throws IOException {
        claim("/a");
        push(true);
        rename("/a", "/b");
        uploadJournal();
        stores.objects.keys("bdt/journal-").forEach(stores.objects::damage);
        loseMaster();
        serve();
        assertNotReady("a recovery could not read 1 objects (bdt/journal-");
        assertAlive();
        assertThat(get("/metrics").body()).containsPattern("bdt_unread_objects\\{mount=\"[^\"]*\"} 1.0");
        assertThat(master.openMount(TestStores.MOUNT).acceptLosses()).isNotEmpty();
        assertReady();
        assertThat(get("/metrics").body()).containsPattern("bdt_unread_objects\\{mount=\"[^\"]*\"} 0.0");
    }

    @Test
    void theTableContradictsItselfOrABlobIsGoneOrFilesWereDeleted() throws IOException {
        claim("/a");
        claim("/b");
        push(true);
        for (String key : stores.objects.keys("blobs/")) {
            stores.objects.delete(List.of(key));
        }
        assertReady();
        delete("/a");
        assertReady();
        // A row of a blob that no file has, and that counts bytes.
        stores.table().write(new WriteBatch().delete(Keys.numbered(Keys.BLOB, 1)), SortedStore.Sync.NONE);
        assertReady();
    }

    @Test
    void theStoreDoesNotAnswer() throws IOException {
        master.kill();
        master = BdtMaster.start(TestStores.config(data), stores);
        master.setOptions(TestStores.MOUNT, Map.of("packing.journal.interval", "1ms"));
        table = master.open(TestStores.MOUNT);
        serve();
        stores.objects.endAfter(0, false);
        assertThat(table.mkdir(new FilePath("/a"), DIRECTORY, true)).isEqualTo(Outcome.DONE);
        while (!get("/healthz").body().contains("uploads has failed for ")) {
            assertThat(get("/healthz").statusCode()).isEqualTo(200);
        }
        assertThat(get("/healthz").body()).startsWith("ok\n");
        assertAlive();
        awaitPage("uploads has failed for ");
        assertThat(get("/metrics").body())
                .containsPattern("bdt_upkeep_failures_total\\{mount=\"[^\"]*\",part=\"uploads\"} [1-9]");
        stores.objects.goOn();
    }
}
