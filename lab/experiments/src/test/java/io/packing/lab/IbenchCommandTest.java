// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo that needs nothing installed. */
class IbenchCommandTest {
    @TempDir
    private Path temp;

    @Test
    void recordedTasksAreAnalyzedAndComparedWithThePaper() throws IOException {
        System.setProperty(
                "packing.home", Path.of("../..").toAbsolutePath().normalize().toString());
        LabRun ran = LabRun.of(
                "bench",
                "ibench",
                "--recorded",
                "--json",
                "--out",
                temp.toString(),
                "--task",
                "writer-doc",
                "--task",
                "writer-start");
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(ran.out());
        assertThat(json.path("numbers")).hasSize(16);
        JsonNode files = json.path("numbers").get(0);
        assertThat(files.path("task").asText()).isEqualTo("writer-doc");
        assertThat(files.path("paper_task").asText()).isEqualTo("Pages DOC");
        assertThat(files.path("paper").asDouble()).isCloseTo(112, within(0.001));
        assertThat(files.path("here").asDouble()).isGreaterThan(100);
        assertThat(json.path("statements")).hasSizeGreaterThan(30);
        json.path("statements").forEach(statement -> {
            assertThat(statement.path("why").asText()).endsWith(".");
            assertThat(statement.path("of").asInt()).isBetween(0, 2);
        });
        assertThat(json.path("tables").get(0).path("figure").asText()).isEqualTo("Table 2.1");
        JsonNode suite = json.path("suite").get(0);
        assertThat(suite.path("does").asText()).isEqualTo("Export 15 pages of text as .doc");
        assertThat(suite.path("paper_does").asText()).isEqualTo("Export 15 page document as .doc");
        assertThat(suite.path("how").asText()).contains("times the files", "merged library");
        assertThat(temp.resolve("comparison.html")).content().contains("Pages DOC", "§2.10");
        assertThat(temp.resolve("comparison.csv")).content().contains("writer-doc,Pages DOC,files,");
        assertThat(temp.resolve("analysis/report.html")).content().contains("id=timeline");
    }

    @Test
    void anUnknownTaskIsNamed() {
        LabRun ran = LabRun.of("bench", "ibench", "--recorded", "--out", temp.toString(), "--task", "writer");
        assertThat(ran.exitCode()).isNotZero();
        assertThat(ran.err()).contains("no task 'writer'", "writer-doc");
    }
}
