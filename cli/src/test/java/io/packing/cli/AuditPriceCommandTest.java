// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.PutCondition;
import io.packing.store.StoreOptions;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing audit-price} beside a server that writes the store's log of the requests that reach it. */
@Timeout(180)
class AuditPriceCommandTest {
    private static final int FILES = 1_200;
    private static final int SIZE = 8 << 10;
    private static final int BLOB = 64 << 10;

    @TempDir
    private Path home = Path.of("");

    private Path log = Path.of("");
    private Path keys = Path.of("");
    private S3Server s3;
    private BdtMaster master;
    private PackingWorker worker;
    private PackingFileSystem mount;

    @BeforeEach
    void start() throws IOException {
        System.setProperty("packing.home", "..");
        log = home.resolve("access.log");
        keys = Files.writeString(
                home.resolve("keys"), "[default]\naws_access_key_id = access\naws_secret_access_key = secret\n");
        s3 = S3Server.start(S3ServerOptions.of(Files.createDirectory(home.resolve("s3")), "bucket"), Optional.of(log));
        master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("bdt").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "s3://bucket@" + s3.endpoint(),
                        "bdt.s3.credentials.file",
                        keys.toString())))
                .serve();
        worker = PackingWorker.start(
                new WorkerOptions("w1", home.resolve("buffer"), "127.0.0.1", 0),
                master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        mount = worker.open(MountOptions.from(Map.of(
                "packing.store",
                "s3://bucket/mount",
                "packing.s3.endpoint",
                s3.endpoint().toString(),
                "packing.s3.credentials.file",
                keys.toString(),
                "packing.blob.max.bytes",
                String.valueOf(BLOB),
                "packing.seal.after",
                "1h",
                "packing.seal.quiet",
                "0s")));
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
        worker.close();
        master.close();
        s3.close();
    }

    private String uri() {
        return "packing://127.0.0.1:%d/".formatted(master.port());
    }

    private void write(String path, int size) throws IOException {
        try (PackingOutput out =
                mount.create(new FilePath(path), new CreateOptions("hdfs", "hadoop", 0644, true, true))) {
            out.write(new byte[size]);
        }
    }

    private void ingest() throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> written = new ArrayList<>();
            for (int i = 0; i < FILES; i++) {
                String path = (i % 4 == 0 ? "/a/" : "/b/") + i;
                written.add(writers.submit(() -> {
                    write(path, SIZE);
                    return path;
                }));
            }
            for (Future<?> each : written) {
                each.get();
            }
        } finally {
            writers.shutdownNow();
        }
        mount.flush();
    }

    private CommandRun audit(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "audit-price",
                uri(),
                "--option",
                "packing.s3.credentials.file=" + keys,
                "--access-log",
                log.toString(),
                "--prefix",
                "mount"));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray(String[]::new));
    }

    private static JsonNode row(JsonNode audit, String what) {
        for (JsonNode row : audit.path("rows")) {
            if (row.path("what").asText().equals(what)) {
                return row;
            }
        }
        throw new AssertionError("no row " + what + " in " + audit);
    }

    @Test
    void theMeterCountsWhatReachesTheServerAndTheEstimateIsWithinOnePercent() throws Exception {
        ingest();
        // The worker sends its counts with its heartbeats.
        int blobs = FILES * SIZE / BLOB;
        Await.until("the meter has all blobs, and the identity and the lease of the mount", () -> {
            JsonNode counts = new ObjectMapper()
                    .readTree(audit("--json").out())
                    .path("audits")
                    .get(0);
            return row(counts, "PUT").path("meter").asLong() >= blobs + 2;
        });
        CommandRun run = audit("--files", "" + FILES, "--size", "" + SIZE, "--blob-max-bytes", "" + BLOB, "--json");
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        JsonNode found = new ObjectMapper().readTree(run.out());
        JsonNode meter = found.path("audits").get(1);
        // The requests by which the master finds the mount are in no meter.
        assertThat(row(meter, "PUT").path("log").asLong()
                        - row(meter, "PUT").path("meter").asLong())
                .isBetween(0L, 2L);
        JsonNode directories = found.path("directories");
        assertThat(directories.get(0).path("directory").asText()).isEqualTo("/a");
        assertThat(directories.get(0).path("files").asLong()).isEqualTo(FILES / 4);
        assertThat(directories.get(1).path("direct_dollars").asDouble())
                .isCloseTo(FILES * 3 / 4 * 0.005 / 1_000, within(1e-12));
        double packed = directories.get(0).path("packed_dollars").asDouble()
                + directories.get(1).path("packed_dollars").asDouble();
        assertThat(packed)
                .isCloseTo(
                        row(found.path("audits").get(0), "dollars")
                                .path("counted")
                                .asDouble(),
                        within(1e-12));
    }

    /** The requests are right; the price was wrong when the estimate was made. */
    @Test
    void anEstimateByAWrongPriceFailsForItsDollarsAndARightOneDoesNot() throws IOException {
        Map<String, String> options = Map.of(
                "packing.store", "s3://bucket/direct",
                "packing.s3.endpoint", s3.endpoint().toString(),
                "packing.s3.credentials.file", keys.toString());
        try (ObjectStore direct = ObjectStores.open(StoreOptions.from(options))) {
            for (int i = 0; i < 300; i++) {
                direct.put((i % 3 == 0 ? "x/" : "y/") + i, ByteBuffer.allocate(SIZE), PutCondition.NONE);
            }
        }
        Path right = estimate("right", "..");
        Path wrongHome = home.resolve("wrong-home");
        Path prices = Files.createDirectories(wrongHome.resolve("conf/prices"));
        Files.writeString(
                prices.resolve("s3-standard.properties"),
                Files.readString(Path.of("../conf/prices/s3-standard.properties"))
                        .replace("put.per.1000=0.005", "put.per.1000=0.0051"));
        Path wrong = estimate("wrong", wrongHome.toString());

        CommandRun holds = auditDirect(right);
        assertThat(holds.exitCode()).as(holds.out() + holds.err()).isZero();
        assertThat(holds.out())
                .containsPattern("/direct/x +100 +819,200 +0.000500")
                .doesNotContain("FAILED");
        CommandRun fails = auditDirect(wrong);
        assertThat(fails.exitCode()).as(fails.out() + fails.err()).isEqualTo(ExitCodes.FAILED);
        assertThat(fails.out())
                .contains("FAILED: dollars: predicted 0.0015300, counted 0.0015000: +2.00 %")
                .doesNotContain("FAILED: PUT");
    }

    private Path estimate(String name, String packingHome) throws IOException {
        System.setProperty("packing.home", packingHome);
        CommandRun run = CommandRun.of("estimate", "--files", "300", "--size", "8KB", "--json");
        System.setProperty("packing.home", "..");
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Files.writeString(home.resolve(name + ".json"), run.out());
    }

    private CommandRun auditDirect(Path estimate) {
        return CommandRun.of(
                "audit-price",
                "--access-log",
                log.toString(),
                "--prefix",
                "direct",
                "--unpacked",
                "--estimate",
                estimate.toString(),
                "--depth",
                "2");
    }

    @Test
    void aDamagedLogAndNothingToCompareAreSaid() throws IOException {
        Path damaged = Files.writeString(home.resolve("damaged"), "no line of a log\n");
        CommandRun run = CommandRun.of(
                "audit-price", "--access-log", damaged.toString(), "--files", "1", "--size", "1", "--unpacked");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(run.out()).contains("1 malformed").contains("damaged, line 1: it has 5 fields");
        CommandRun alone = CommandRun.of("audit-price", "--access-log", log.toString());
        assertThat(alone.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(alone.err()).contains("nothing to hold the log against");
        CommandRun none = CommandRun.of(
                "audit-price", "--access-log", home.resolve("none").toString());
        assertThat(none.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
    }
}
