// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.ExitCodes;
import io.packing.cli.SummaryOfTrace;
import io.packing.lab.messages.DemoRuns;
import io.packing.trace.Call;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceDemoCommandTest {
    @TempDir
    Path folder;

    @Test
    void anOutputDirectoryThatIsNotEmptyIsRefusedBeforeAnythingStarts() throws Exception {
        // Only a clone has this file.
        Files.writeString(folder.resolve("pom.xml"), "<project/>");
        String before = System.getProperty("packing.home");
        System.setProperty("packing.home", folder.toString());
        try {
            LabRun run = LabRun.of("demo", "trace", "--out", folder.toString());
            assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(run.err()).contains("--out").contains("not empty");
        } finally {
            if (before == null) {
                System.clearProperty("packing.home");
            } else {
                System.setProperty("packing.home", before);
            }
        }
    }

    @Test
    void impossibleLoadsAreRefused() {
        LabRun run = LabRun.of("demo", "trace", "--clients", "0", "--out", folder.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("0 clients");
    }

    @Test
    void theJsonTellsWhatTheTraceHoldsAndWhereTheReportIs() throws Exception {
        Path file = folder.resolve("a.htfs");
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            writer.write(new TraceEventBuilder(Call.WRITE)
                    .stream(1).path("/a").range(0, 6).result(6).collapsed(3, 0).build());
            writer.write(new TraceEventBuilder(Call.MKDIRS).path("/b").result(1).build());
            writer.dropped(7);
        }
        Map<String, Object> json = TraceDemoCommand.json(
                SummaryOfTrace.read(List.of(file)), new DemoRuns(), folder.resolve("report.html"));
        assertThat(json)
                .containsEntry("events", 2L)
                .containsEntry("dropped", 7L)
                .containsEntry("bytes", Files.size(file))
                .containsEntry("bytes_per_event", Files.size(file) / 2.0)
                .containsEntry("calls", 4L)
                .containsEntry("files", 1L)
                .containsEntry("overhead", null)
                .containsEntry("report", folder.resolve("report.html").toString());
    }
}
