// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FencedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcMasterTest {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);
    private static final Heartbeat NOTHING = new Heartbeat(3, 30, List.of(), List.of());

    private final TestStores stores = new TestStores();

    @TempDir
    Path data;

    private BdtMaster master;
    private GrpcBdts client;
    private Bdt table;

    @BeforeEach
    void start() throws IOException {
        master = BdtMaster.start(config(0), stores).serve();
        client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(60));
        table = client.open(TestStores.MOUNT);
    }

    @AfterEach
    void stop() {
        client.close();
        master.kill();
    }

    @Test
    void workerThatIsRefusedLearnsWhetherTheOtherWasHeardOf() throws IOException {
        WorkerSession first = table.register(new WorkerRegistration("w", "127.0.0.1:1", "buffer-1", true));
        WorkerRegistration other = new WorkerRegistration("w", "127.0.0.1:2", "buffer-2", true);
        WorkerInUseException heard = catchThrowableOfType(WorkerInUseException.class, () -> table.register(other));
        assertThat(heard.address()).isEqualTo("127.0.0.1:1");
        assertThat(heard.isPresumed()).isFalse();
        stop();
        start();
        WorkerInUseException presumed = catchThrowableOfType(WorkerInUseException.class, () -> table.register(other));
        assertThat(presumed.isPresumed()).isTrue();
        assertThat(presumed.leaseLeft()).isPositive();
        first.close();
    }

    @Test
    void anOrderToSealReachesEveryLiveWorkerOnce() throws Exception {
        WorkerSession first = table.register(new WorkerRegistration("first", "h:1"));
        WorkerSession second = table.register(new WorkerRegistration("second", "h:2"));
        assertThat(first.heartbeat(NOTHING).sealNow()).isFalse();
        assertThat(second.heartbeat(NOTHING).sealNow()).isFalse();
        table.sealNow();
        for (WorkerSession session : List.of(first, second)) {
            assertThat(session.heartbeat(NOTHING).sealNow()).isTrue();
            assertThat(session.heartbeat(NOTHING).sealNow()).isFalse();
        }
    }

    @Test
    void everythingTravelsOverTheWire() throws IOException {
        WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            claims.add(session.claim(claim(session, "/d/f%04d".formatted(i))));
        }
        List<CommittedFile> files = new ArrayList<>();
        BlobName blob = new BlobName("w", 1 << 20, 7);
        for (int i = 0; i < claims.size(); i++) {
            Extent extent = new Extent(0, 10, 100 + 10L * i, 10, Codec.NONE, i);
            files.add(new CommittedFile(
                    ((ClaimResult.Granted) claims.get(i).join()).version(), List.of(new BlobExtent(blob, extent))));
        }
        WorkerActivity activity = new WorkerActivity(1, 2, 3, 4, new StoreRequests(1, 2, 3, 4, 5, 6, 7), 9);
        assertThat(session.heartbeat(new Heartbeat(1, 2, List.of(new PushedBlob(blob, 2 << 20)), files, activity))
                        .lease())
                .isPositive();
        assertThat(table.locate(new FilePath("/d/f2999")).orElseThrow().placement())
                .isEqualTo(new Placement.Packed(files.get(2_999).extents()));
        assertThat(table.locate(files.get(5).version()).orElseThrow().status().path())
                .isEqualTo(new FilePath("/d/f0005"));
        assertThat(table.mkdir(new FilePath("/x"), new DirectoryAttributes("u", "g", 0700), false))
                .isEqualTo(Outcome.DONE);
        assertThat(table.rename(new FilePath("/d"), new FilePath("/x/d"))).isEqualTo(Outcome.DONE);
        List<FileStatus> page = table.list(new FilePath("/x/d"), "f2997", 10).orElseThrow();
        assertThat(page).extracting(entry -> entry.path().value()).containsExactly("/x/d/f2998", "/x/d/f2999");
        assertThat(table.workers())
                .containsExactly(new WorkerInfo("w", "127.0.0.1:1", session.sessionEpoch(), 1, 2, activity));
        assertThat(table.statistics().packedBytes()).isEqualTo(30_000);
        assertThat(table.delete(new FilePath("/x"), true)).isEqualTo(Outcome.DONE);
        assertThat(table.stat(new FilePath("/x"))).isEmpty();
    }

    @Test
    void restartOfTheMasterInTheMiddleOfClaimsLosesNone() throws IOException {
        WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            claims.add(session.claim(claim(session, "/d/f" + i)));
            if (i == 500) {
                restart();
            }
        }
        for (CompletableFuture<ClaimResult> claim : claims) {
            assertThat(claim.join()).isInstanceOf(ClaimResult.Granted.class);
        }
        assertThat(table.statistics().files()).isEqualTo(1_000);
        assertThat(session.heartbeat(NOTHING).lease()).isPositive();
        assertThat(table.stat(new FilePath("/d/f999"))).isPresent();
    }

    @Test
    void claimsThatTravelTogetherLeaveWhenAllAreMade() throws IOException {
        WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        Claim a = claim(session, "/a");
        Claim b = claim(session, "/b");
        Claim c = claim(session, "/c");
        List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
        session.together(() -> {
            claims.add(session.claim(a));
            claims.add(session.claim(b));
            assertThat(stat("/a")).isEmpty();
        });
        assertThatThrownBy(() -> session.together(() -> {
                    claims.add(session.claim(c));
                    throw new IllegalStateException("half way");
                }))
                .hasMessage("half way");
        assertThat(claims)
                .hasSize(3)
                .allSatisfy(claim -> assertThat(claim.join()).isInstanceOf(ClaimResult.Granted.class));
        assertThat(stat("/c")).isPresent();
    }

    private Optional<FileStatus> stat(String path) {
        try {
            return table.stat(new FilePath(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anAnswerMayBringTheNextClaim() throws IOException {
        WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        CompletableFuture<ClaimResult> last = session.claim(claim(session, "/d/first"));
        for (int i = 0; i < 200; i++) {
            Claim next = claim(session, "/d/f%03d".formatted(i));
            last = last.thenCompose(answer -> session.claim(next));
        }
        assertThat(last.join()).isInstanceOf(ClaimResult.Granted.class);
        assertThat(table.stat(new FilePath("/d/f199"))).isPresent();
    }

    @Test
    void claimsOfAClosedClientFail() throws IOException {
        WorkerSession used = table.register(new WorkerRegistration("used", "127.0.0.1:1"));
        WorkerSession fresh = table.register(new WorkerRegistration("fresh", "127.0.0.1:2"));
        Claim ofUsed = claim(used, "/d/late");
        Claim ofFresh = claim(fresh, "/d/later");
        used.claim(claim(used, "/d/first")).join();
        client.close();
        for (CompletableFuture<ClaimResult> claim : List.of(used.claim(ofUsed), fresh.claim(ofFresh))) {
            assertThatThrownBy(claim::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(UnavailableException.class);
        }
    }

    @Test
    void claimsThatWaitForTheMasterFailWhenTheirClientIsClosed() throws Exception {
        WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        Claim first = claim(session, "/d/first");
        Claim second = claim(session, "/d/second");
        session.claim(claim(session, "/d/before")).join();
        master.kill();
        CompletableFuture<ClaimResult> waiting = session.claim(first);
        client.close();
        for (CompletableFuture<ClaimResult> claim : List.of(waiting, session.claim(second))) {
            assertThatThrownBy(() -> claim.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(UnavailableException.class);
        }
    }

    @Test
    void sessionIsToldToReclaimAfterARecoveryFromTheBackingStore() throws IOException {
        WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(session.claim(claim(session, "/f")).join()).isInstanceOf(ClaimResult.Granted.class);
        table.checkpoint();
        int port = master.port();
        master.kill();
        stores.dropTables();
        deleteAll(data);
        master = BdtMaster.start(config(port).takingOver(), stores).serve();
        assertThatThrownBy(() -> session.heartbeat(NOTHING)).isInstanceOf(SessionExpiredException.class);
        assertThatThrownBy(() -> session.claim(new Claim(5, new FilePath("/g"), FILE, true, true))
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(SessionExpiredException.class);
    }

    @Test
    void failuresArriveAsWhatTheyAre() throws IOException {
        WorkerSession old = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        WorkerSession newer = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(newer.sessionEpoch()).isGreaterThan(old.sessionEpoch());
        assertThatThrownBy(() -> old.heartbeat(NOTHING)).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> old.claim(new Claim(5, new FilePath("/g"), FILE, true, true))
                        .join())
                .hasCauseInstanceOf(FencedException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> client.open(Map.of("packing.store", "")));
        assertThatIllegalArgumentException().isThrownBy(() -> table.list(FilePath.ROOT, "", 0));
    }

    @Test
    void unreachableMasterIsNamedWhenTheTimeoutHasPassed() {
        int port = master.port();
        master.kill();
        try (GrpcBdts impatient = GrpcBdts.connect("127.0.0.1:" + port, Duration.ofMillis(200))) {
            assertThatThrownBy(() -> impatient.open(TestStores.MOUNT))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("Check that it runs");
        }
    }

    @Test
    void healthAndMetricsAreServed() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        String base = "http://127.0.0.1:" + master.metricsPort();
        HttpResponse<String> health = http.send(
                HttpRequest.newBuilder(URI.create(base + "/healthz")).build(), HttpResponse.BodyHandlers.ofString());
        HttpResponse<String> metrics = http.send(
                HttpRequest.newBuilder(URI.create(base + "/metrics")).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(metrics.body())
                .contains("bdt_files{mount=")
                .contains("bdt_log_position{")
                .containsPattern("bdt_requests_total\\{method=\"Open\"} [1-9]");
        String documented = Files.readString(Path.of("../docs/metrics.md"));
        Set<String> alone = new TreeSet<>(names(documented));
        // GroupStandingTest looks for those of a group, and TokensOfGroupsTest for that of other groups.
        assertThat(alone.removeIf(name -> name.startsWith("bdt_group_"))).isTrue();
        assertThat(alone.remove("bdt_token_group_silent_seconds")).isTrue();
        assertThat(names(metrics.body())).isEqualTo(alone);
        Set<String> parts = found("bdt_upkeep_failing_seconds\\{.*part=\"([^\"]+)\"", metrics.body());
        String row = documented
                .lines()
                .filter(line -> line.startsWith("- `bdt_upkeep_failing_seconds`"))
                .findFirst()
                .orElseThrow();
        assertThat(found("`([a-z ]+)`", row))
                .containsExactlyInAnyOrderElementsOf(parts)
                .hasSizeGreaterThan(1);
    }

    @Test
    void whatTheStoreIsAskedIsCountedAndPriced() throws Exception {
        WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        for (long puts : List.of(5_000L, 1_005_000L)) {
            StoreRequests requests = new StoreRequests(puts, 0, 0, 0, 0, 0, 0);
            assertThat(session.heartbeat(new Heartbeat(
                                    0, 0, List.of(), List.of(), new WorkerActivity(1, 90_000, 0, 0, requests)))
                            .lease())
                    .isPositive();
        }
        String metrics = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + master.metricsPort() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(metrics)
                .as("the master claimed the mount in its store")
                .containsPattern("bdt_store_requests_total\\{kind=\"put\",mount=\"[^\"]+\",outcome=\"ok\"} [1-9]")
                .containsPattern("bdt_store_requests_total\\{kind=\"get\",mount=\"[^\"]+\",outcome=\"throttled\"} 0.0")
                .containsPattern("bdt_store_dollars_total\\{by=\"master\",mount=\"[^\"]+\"} [0-9.E-]*[1-9]")
                .as("all PUTs of a worker that is new to the mount")
                .containsPattern("bdt_store_dollars_total\\{by=\"workers\",mount=\"[^\"]+\"} 5.025\n")
                .containsPattern("bdt_oldest_buffered_seconds\\{mount=\"[^\"]+\"} 90.0");
    }

    private static Set<String> names(String text) {
        return found("\\b(bdt_[a-z_]+)", text);
    }

    /** Returns the texts that an expression's group matches. */
    private static Set<String> found(String expression, String text) {
        return Pattern.compile(expression)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }

    private void restart() throws IOException {
        int port = master.port();
        master.kill();
        master = BdtMaster.start(config(port), stores).serve();
    }

    private BdtMasterOptions config(int port) {
        return BdtMasterOptions.from(Map.of(
                "bdt.data.dir", data.toString(),
                "bdt.port", Integer.toString(port),
                "bdt.metrics.port", "0",
                "bdt.cache.bytes", "1MB",
                "bdt.min.free.disk.bytes", "0",
                "bdt.prices", "../conf/prices/s3-standard.properties"));
    }

    private static Claim claim(WorkerSession session, String path) throws IOException {
        return new Claim(session.newFileId(), new FilePath(path), FILE, true, true);
    }

    static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(directory)) {
                    Files.delete(file);
                }
            }
        }
    }
}
