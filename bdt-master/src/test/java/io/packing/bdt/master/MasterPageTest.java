// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static Claim claim(WorkerSession session, String path, long bytes, boolean overwrite) throws IOException {
        FileAttributes attributes = new FileAttributes(bytes, 0, "user", "group", 0644);
        return new Claim(session.newFileId(), new FilePath(path), attributes, true, overwrite);
    }

    private static double puts(String told, String directory) {
        Matcher row = Pattern.compile("\"directory\":\"" + Pattern.quote(directory) + "\"[^}]*\"puts\":([0-9.E-]+)")
                .matcher(told);
        assertThat(row.find()).as(told).isTrue();
        return Double.parseDouble(row.group(1));
    }

    @Test
    void eachDirectoryHasItsPartOfTheRequestsByItsBytes() throws Exception {
        BdtMaster master = start();
        try (Bdt table = master.open(TestStores.MOUNT);
                WorkerSession session = table.register(new WorkerRegistration("w", "h:1"))) {
            assertThat(session.heartbeat(new Heartbeat(
                                    1,
                                    1_000,
                                    List.of(),
                                    List.of(),
                                    new WorkerActivity(1, 0, 0, 0, new StoreRequests(20, 0, 0, 0, 0, 0, 0), 0)))
                            .lease())
                    .isPositive();
            for (Claim claim : List.of(
                    claim(session, "/a/x/1", 100, false),
                    claim(session, "/a/2", 200, false),
                    claim(session, "/b/1", 100, false),
                    claim(session, "/top", 0, false),
                    claim(session, FilePath.SCRATCH.value() + "/change", 600, false))) {
                assertThat(session.claim(claim).get()).isInstanceOf(ClaimResult.Granted.class);
            }
            assertThat(session.claim(claim(session, "/b/1", 5_000, false)).get())
                    .isInstanceOf(ClaimResult.Refused.class);
            String told = toldWith(master, "(changes of files)");
            assertThat(told)
                    .containsSubsequence(
                            "\"directory\":\"/a\",\"files\":2,\"bytes\":300,\"puts\":",
                            "\"directory\":\"/\",\"files\":1,\"bytes\":0,\"puts\":0,",
                            "\"directory\":\"/b\",\"files\":1,\"bytes\":100,\"puts\":",
                            "\"directory\":\"(changes of files)\",\"files\":0,\"bytes\":600,\"puts\":");
            // The master opened the mount with some PUTs of its own, beside the twenty of the worker.
            double all = puts(told, "/a") / 0.3;
            assertThat(all).isBetween(20.0, 40.0);
            assertThat(puts(told, "(changes of files)")).isCloseTo(0.6 * all, within(1e-9));
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
