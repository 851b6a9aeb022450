// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.seed.Seed;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.store.FaultyObjectStore;
import io.packing.store.ObjectStore;
import io.packing.store.RequestKind;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The content of a master's page. */
@Timeout(60)
final class MasterPageTest {
    @TempDir
    private Path data;

    private final TestStores stores = new TestStores();
    private final FaultyObjectStore faulty =
            new FaultyObjectStore(stores.objects, Seed.random(), FaultyObjectStore.Rates.NONE);

    private BdtMaster start() throws IOException {
        Stores gated = new Stores() {
            @Override
            public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
                return stores.sorted(directory, config);
            }

            @Override
            public StoreAddress address(Map<String, String> options) {
                return stores.address(options);
            }

            @Override
            public ObjectStore objects(Map<String, String> options) {
                return faulty;
            }
        };
        return BdtMaster.start(TestStores.config(data), gated).serve();
    }

    private static String told(BdtMaster master) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:%d/api/status".formatted(master.metricsPort()));
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Waits for a page with this part, and returns it; the page is made anew once a second. */
    private static String toldWith(BdtMaster master, String part) throws IOException, InterruptedException {
        String told = told(master);
        while (!told.contains(part)) {
            told = told(master);
        }
        return told;
    }

    @Test
    void mountsWorkersAndRequestsAreTold() throws Exception {
        BdtMaster master = start();
        try (Bdt table = master.open(TestStores.MOUNT);
                WorkerSession session = table.register(new WorkerRegistration("w", "<script>:1"))) {
            for (long pushed : List.of(0L, 900L)) {
                StoreRequests requests = new StoreRequests(pushed, 0, 0, 0, 0, 5, 0);
                assertThat(session.heartbeat(new Heartbeat(
                                        3,
                                        3_000,
                                        List.of(),
                                        List.of(),
                                        new WorkerActivity(1, 90_000, 7, pushed, requests, 17)))
                                .lease())
                        .isPositive();
            }
            assertThat(toldWith(master, "\"pushed_bytes\":900"))
                    .contains("\"daemon\":\"BDT master\"", "\"name\":\"127.0.0.1:%d\"".formatted(master.port()))
                    .contains("\"store\":\"file:///test\"", "\"live_workers\":1", "\"oldest_seconds\":90")
                    .contains(
                            "\"worker\":\"w\",\"address\":\"\\u003cscript\\u003e:1\",\"page\":17",
                            "\"buffered_bytes\":3000",
                            "\"throttled\":5")
                    .contains("\"by\":\"master\"", "\"by\":\"workers\",\"puts\":900")
                    .contains("\"name\":\"version\"", "\"name\":\"heap\"", "\"name\":\"disk of ")
                    .contains("\"dollars\":null", "\"recoveries\":[]");
        } finally {
            master.kill();
        }
    }

    @Test
    void aMountThatIsBeingOpenedIsTold() throws Exception {
        BdtMaster master = start();
        try (FaultyObjectStore.Gate gate = faulty.holdNext(RequestKind.LIST)) {
            CompletableFuture<Bdt> opening = CompletableFuture.supplyAsync(() -> {
                try {
                    return master.open(TestStores.MOUNT);
                } catch (IOException e) {
                    throw new CompletionException(e);
                }
            });
            gate.awaitArrival();
            assertThat(toldWith(master, "\"phase\":")).contains("\"mounts\":[]");
            gate.close();
            opening.join().close();
            assertThat(toldWith(master, "\"recoveries\":[]")).contains("\"store\":\"file:///test\"");
        } finally {
            master.kill();
        }
    }
}
