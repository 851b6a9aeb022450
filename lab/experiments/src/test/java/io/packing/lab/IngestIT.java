// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.CostComparison;
import io.packing.lab.load.RunProgress;
import io.packing.lab.packing.IngestSpec;
import io.packing.lab.suite.Experiments;
import io.packing.options.PriceTable;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
                .ingestHadoop(new IngestSpec(100, 512, 8, 100, prices), 10, servers, progress)
                .comparison();
        assertThat(comparison.isComplete()).isTrue();
        assertThat(comparison.packed().put()).isBetween(2L, 99L);
        // S3A repeats what is refused, and asks for the path before each file.
        assertThat(comparison.direct().put()).isEqualTo(100);
        assertThat(comparison.direct().list()).isGreaterThanOrEqualTo(100);
        assertThat(comparison.direct().throttled()).isPositive();
        assertThat(comparison.ratio().put()).isGreaterThan(1);
        assertThat(files).hasValue(2 * (10 + 100 + 100));
        assertThat(parts).contains("Hadoop on packing writes", "Hadoop on S3A writes", "Hadoop on S3A reads");
    }

    @Test
    void eachSizeIsWrittenBothWays() throws Exception {
        LabRun run = LabRun.of("experiment", "sizes", "--json", "--sizes", "4KB", "--bytes", "512KB", "--scale", "1");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(new ObjectMapper().readTree(run.out()).get("points"))
                .extracting(point -> point.get("side").asText().toLowerCase(Locale.ROOT))
                .containsExactlyInAnyOrder("direct", "packed");
    }
}
