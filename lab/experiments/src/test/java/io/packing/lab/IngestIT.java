package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
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
    void eachSizeIsWrittenBothWays() throws Exception {
        LabRun run = LabRun.of("experiment", "sizes", "--json", "--sizes", "4KB", "--bytes", "512KB", "--scale", "1");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(new ObjectMapper().readTree(run.out()).get("points"))
                .extracting(point -> point.get("side").asText().toLowerCase(Locale.ROOT))
                .containsExactlyInAnyOrder("direct", "packed");
    }
}
