// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileReader;
import io.packing.trace.TraceSink;
import io.packing.trace.TraceSource;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConversionsTest {
    @TempDir
    private Path temp;

    private static void writeAll(TraceSink sink) throws IOException {
        try (sink) {
            for (TraceEvent event : Samples.all()) {
                sink.write(event);
            }
        }
    }

    @Test
    void everyJsonLineIsOneObjectWithWhatApplies() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writeAll(new JsonLines(bytes));
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSameSizeAs(Samples.all());
        assertThat(lines.get(1))
                .startsWith("{")
                .endsWith("}")
                .contains("\"call\":\"write\"", "\"count\":3", "\"offset\":0", "\"result\":300")
                .doesNotContain("\"error\"", "\"target\"");
        assertThat(lines.get(2)).doesNotContain("\"offset\"", "\"length\"");
    }

    @Test
    void theChromeTraceIsOneJsonValueWithARowPerThread() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writeAll(new ChromeTrace(bytes));
        int complete = 0;
        int metadata = 0;
        try (JsonParser json = new JsonFactory().createParser(bytes.toByteArray())) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.VALUE_STRING && "ph".equals(json.currentName())) {
                    complete += json.getText().equals("X") ? 1 : 0;
                    metadata += json.getText().equals("M") ? 1 : 0;
                }
            }
        }
        assertThat(complete).isEqualTo(Samples.all().size());
        assertThat(metadata).isEqualTo(2);
    }

    @Test
    void requestsForTheSameBlockPointAtEachOther() throws IOException {
        Path file = temp.resolve("requests");
        writeAll(new OracleGeneral(file, 4_096));
        ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        // The requests: one written block, then the blocks 16, 0 and 1 of the store file.
        assertThat(records.capacity()).isEqualTo(4 * OracleGeneral.RECORD);
        for (int i = 0; i < 4; i++) {
            assertThat(records.getLong(i * OracleGeneral.RECORD + 16))
                    .as("next use of %d", i)
                    .isEqualTo(-1);
            assertThat(records.getInt(i * OracleGeneral.RECORD + 12)).isEqualTo(4_096);
        }
        Path again = temp.resolve("again");
        OracleGeneral sink = new OracleGeneral(again, 4_096);
        for (int i = 0; i < 2; i++) {
            for (TraceEvent event : Samples.all()) {
                sink.write(event);
            }
        }
        sink.close();
        ByteBuffer twice = ByteBuffer.wrap(Files.readAllBytes(again)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 4; i++) {
            assertThat(twice.getLong(i * OracleGeneral.RECORD + 16)).isEqualTo(i + 4);
            assertThat(twice.getLong(i * OracleGeneral.RECORD + 4))
                    .isEqualTo(twice.getLong((i + 4) * OracleGeneral.RECORD + 4));
        }
    }

    @Test
    void theOriginalTracersLinesGoOutAndComeBack() throws IOException {
        StringWriter lines = new StringWriter();
        writeAll(new HtfsCsvSink(lines));
        HtfsCsvSource source =
                new HtfsCsvSource(new BufferedReader(new StringReader(lines.toString())), "host-a", Samples.WALL);
        assertThat(Samples.drain(source)).isEqualTo(Samples.all());
        assertThat(source.skipped()).isZero();
    }

    @Test
    void aCallThatTheOriginalDidNotKnowIsLeftOutAndCounted() throws IOException {
        try (HtfsCsvSink sink = new HtfsCsvSink(new StringWriter())) {
            sink.write(Samples.event(Call.GET_ACL, 0).path("/a").build());
            assertThat(sink.leftOut()).isEqualTo(1);
        }
    }

    @Test
    void linesBehindALoggersPrefixAreReadAndTornOnesCounted() throws IOException {
        String log = """
                2012-05-01 00:00:00,001 INFO org.apache.hadoop.metrics.APITrace: 17,1,1000,20,4,-1,9,#L2E=,4096
                17,2,2000,30,1,9,null,5,50

                17,3,3000,30,99,9,null
                17,4,30\
                """;
        HtfsCsvSource source = new HtfsCsvSource(new BufferedReader(new StringReader(log)), "h", 0);
        List<TraceEvent> events = Samples.drain(source);
        assertThat(events).extracting(TraceEvent::call).containsExactly(Call.OPEN, Call.READ);
        assertThat(events).extracting(TraceEvent::path).containsExactly("/a", "/a");
        assertThat(events.get(1).count()).isEqualTo(5);
        assertThat(events.get(1).bytes()).isEqualTo(50);
        assertThat(source.skipped()).isEqualTo(2);
    }

    @Test
    void theSummaryCountsWhatIsThere() {
        TraceSummary summary = new TraceSummary();
        Samples.all().forEach(summary::add);
        assertThat(summary.events()).isEqualTo(8);
        assertThat(summary.callCount()).isEqualTo(10);
        assertThat(summary.bytesWritten()).isEqualTo(300);
        assertThat(summary.bytesRead()).isEqualTo(5_000);
        assertThat(summary.files()).isEqualTo(2);
        assertThat(summary.streams()).isEqualTo(2);
        assertThat(summary.spanNanos()).isEqualTo(74_000);
    }

    @Test
    void callsOfANewerTracerAreShownAsUnknownCountedAndLeftOutOnlyWhereAFormatHasNoPlaceForThem() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (TraceSource newer = TraceFileReader.of(
                "newer", Objects.requireNonNull(getClass().getResourceAsStream("/newer-calls-v1.htfs")))) {
            for (Optional<TraceEvent> next = newer.next(); next.isPresent(); next = newer.next()) {
                events.add(next.get());
            }
        }
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        StringWriter csv = new StringWriter();
        TraceSummary summary = new TraceSummary();
        try (TraceSink lines = new JsonLines(json);
                HtfsCsvSink old = new HtfsCsvSink(csv)) {
            for (TraceEvent event : events) {
                lines.write(event);
                old.write(event);
                summary.add(event);
            }
            assertThat(old.leftOut()).isGreaterThanOrEqualTo(3);
        }
        assertThat(json.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("\"call\":\"unknown\"")))
                .hasSize(3);
        assertThat(summary.calls()).anySatisfy(count -> {
            assertThat(count.call()).isEqualTo("unknown");
            assertThat(count.events()).isEqualTo(3);
        });
    }
}
