// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.CostComparison;
import io.packing.lab.direct.DirectKind;
import io.packing.lab.hadoop.HadoopIngest;
import io.packing.lab.load.RunProgress;
import io.packing.lab.packing.IngestSpec;
import io.packing.lab.packing.TurnPlan;
import io.packing.lab.suite.Experiments;
import io.packing.options.PriceTable;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiments of ingest with real processes, small. */
@Tag("process")
class IngestIT {
    @TempDir
    Path directory;

    @BeforeAll
    static void nameTheClone() {
        System.setProperty(
                "packing.home", Path.of("../..").toAbsolutePath().normalize().toString());
    }

    @Test
    void bothSidesAreCountedVerifiedAndDrawn() throws Exception {
        LabRun run = LabRun.of(
                "experiment",
                "ingest",
                "--json",
                "--files",
                "300",
                "--direct-files",
                "100",
                "--warm-up",
                "64",
                "--direct",
                "sdk,s3a,paced",
                "--runs",
                "1",
                "--out",
                directory.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        JsonNode packed = json.get("packed");
        assertThat(packed.get("files").asLong()).isEqualTo(300);
        assertThat(packed.get("verified").asLong()).isEqualTo(300);
        // At least a blob and the backup of the BDT, at most one blob for each file.
        assertThat(packed.get("put").asLong()).isBetween(2L, 299L);
        assertThat(packed.get("extrapolated").asBoolean()).isFalse();
        JsonNode direct = json.get("direct");
        assertThat(direct.get("put").asLong()).isEqualTo(300);
        assertThat(direct.get("measured_files").asLong()).isEqualTo(100);
        assertThat(direct.get("verified").asLong()).isEqualTo(100);
        assertThat(direct.get("extrapolated").asBoolean()).isTrue();
        assertThat(json.get("baselines"))
                .extracting(each -> each.get("client").asText())
                .containsExactly("sdk", "s3a", "paced");
        for (JsonNode baseline : json.get("baselines")) {
            assertThat(baseline.get("side").get("put").asLong()).isEqualTo(300);
            assertThat(baseline.get("side").get("verified").asLong()).isEqualTo(100);
            assertThat(baseline.get("seconds_ratio").get("least").asDouble()).isPositive();
        }
        // A packed run is before each client, and the fields at the top are of the one in the middle.
        assertThat(json.get("packed_runs")).hasSize(3);
        assertThat(json.get("packed_runs"))
                .extracting(each -> each.get("seconds").asDouble())
                .contains(packed.get("seconds").asDouble());
        assertThat(json.get("packed_runs"))
                .allMatch(each -> each.get("verified").asLong() == 300);
        assertThat(json.get("baselines").get(0).get("settings").asText()).contains("AWS SDK for Java", "attempts");
        assertThat(json.get("baselines").get(1).get("settings").asText()).contains("fs.s3a.retry.throttle.limit=20");
        assertThat(json.get("origin").get("options")).isEmpty();
        assertThat(json.get("origin").get("machine").asText()).contains("processors");
        assertThat(json.get("paper").get("seconds_ratio").asDouble()).isEqualTo(61);
        assertThat(directory.resolve("retries.csv"))
                .content()
                .contains("packed,refused_per_1000,0.000", "paper, direct");
        assertThat(new ObjectMapper().readTree(directory.resolve("ingest.json").toFile()))
                .isEqualTo(json);
        assertThat(directory.resolve("requests.csv")).content().startsWith("side,second,put,throttled");
        assertThat(Files.size(directory.resolve("requests.png"))).isPositive();
    }

    @Test
    void hadoopsDoorIsComparedWithS3aUnderALimit() throws Exception {
        List<String> parts = new ArrayList<>();
        AtomicLong files = new AtomicLong();
        RunProgress progress = new RunProgress() {
            @Override
            public void accept(String part) {
                parts.add(part);
            }

            @Override
            public RunProgress.Files begins(String part, long ignored) {
                parts.add(part);
                return new RunProgress.Files() {
                    @Override
                    public void stepBy(long more) {
                        files.addAndGet(more);
                    }

                    @Override
                    public void close() {}
                };
            }
        };
        PriceTable prices = PriceTable.read(Checkout.find().home().prices("s3-standard"));
        Experiments.Servers servers =
                new Experiments.Servers(new S3Process.Limits(40, Duration.ofMillis(1)), 1, Map.of());
        CostComparison comparison = new Experiments(Checkout.find(), new Narrator(true))
                .ingestHadoop(
                        new HadoopIngest(
                                new IngestSpec(100, 512, 8, 100, prices), TurnPlan.once(DirectKind.S3A), 10, progress),
                        servers)
                .comparison();
        assertThat(comparison.isComplete()).isTrue();
        assertThat(comparison.packed().put()).isBetween(2L, 99L);
        // S3A repeats what is refused, and asks for the path before each file.
        assertThat(comparison.direct().put()).isEqualTo(100);
        assertThat(comparison.direct().list()).isGreaterThanOrEqualTo(100);
        assertThat(comparison.direct().throttled()).isPositive();
        assertThat(comparison.ratio().put()).isGreaterThan(1);
        assertThat(files).hasValue(2 * (10 + 100 + 100));
        assertThat(parts).contains("Hadoop on packing writes", "S3A writes", "S3A reads");
    }

    /** A limit so low that the SDK's own retries do not suffice: the program stores each file all the same. */
    @Test
    void theSdkAsItShipsWritesAllFilesUnderALimitThatPackingDoesNotFeel() throws Exception {
        LabRun run = LabRun.of(
                "experiment ingest --json --files 150 --clients 8 --warm-up 10 --runs 1 --put-limit 20".split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        assertThat(json.get("packed").get("throttled").asLong()).isZero();
        JsonNode sdk = json.get("baselines").get(0);
        assertThat(sdk.get("side").get("put").asLong()).isEqualTo(150);
        assertThat(sdk.get("side").get("verified").asLong()).isEqualTo(150);
        assertThat(sdk.get("side").get("throttled").asLong()).isPositive();
        assertThat(sdk.get("throttled_per_1000").asDouble()).isPositive();
        assertThat(json.get("direct")).isEqualTo(sdk.get("side"));
    }

    @Test
    void hadoopsDoorIsADoorOfTheIngest() throws Exception {
        LabRun run = LabRun.of(
                "experiment ingest --json --door hadoop --files 120 --clients 4 --warm-up 20 --runs 2 --direct s3a,sdk"
                        .split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        assertThat(json.get("packed_runs"))
                .hasSize(2)
                .allMatch(each -> each.get("verified").asLong() == 120);
        assertThat(json.get("packed").get("seconds").asDouble())
                .isGreaterThanOrEqualTo(
                        json.get("packed").get("acknowledged_seconds").asDouble());
        assertThat(json.get("baselines"))
                .extracting(each -> each.get("client").asText())
                .containsExactly("s3a", "sdk");
    }

    @Test
    void eachSizeIsWrittenByEachClient() throws Exception {
        LabRun run = LabRun.of(
                "experiment sizes --json --sizes 4KB,5MB --bytes 512KB --scale 1 --put-limit 40 --direct sdk,s3a,paced"
                        .split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        assertThat(json.get("points"))
                .extracting(point -> point.get("size").asLong() + " "
                        + point.get("side").asText() + " " + point.get("client").asText())
                .containsExactly(
                        "4096 direct sdk",
                        "4096 direct s3a",
                        "4096 direct paced",
                        "4096 packed packing",
                        "5242880 direct sdk",
                        "5242880 direct s3a",
                        "5242880 direct paced");
        assertThat(json.get("paper").get("large_to_small").asDouble()).isEqualTo(300);
    }
}
