// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.trace.Call;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing audit-price --measure}: a trace that real daemons play, beside its simulation. */
@Timeout(900)
final class MeasuredPriceTest {
    private static final long MILLI = 1_000_000;
    private static final int SIZE = 20_000;
    /** A deviation that a busy machine does not reach: the claim here is not about times. */
    private static final String ANY = "100000";

    @TempDir
    private Path home = Path.of("");

    private S3Server s3;
    private Path keys = Path.of("");
    private String endpoint = "";

    @BeforeEach
    void start() throws IOException {
        System.setProperty("packing.home", "..");
        Path objects = Files.createDirectory(home.resolve("s3"));
        s3 = S3Server.start(new S3ServerOptions(
                0, objects, "access", "secret", List.of("bucket"), 0, Duration.ofMillis(5), Duration.ofMillis(5)));
        endpoint = s3.endpoint().toString();
        keys = Files.writeString(
                home.resolve("keys"), "[default]\naws_access_key_id = access\naws_secret_access_key = secret\n");
    }

    @AfterEach
    void stop() throws IOException {
        s3.close();
    }

    private Path trace(List<TraceEventBuilder> events) throws IOException {
        Path file = home.resolve("trace.htfs");
        try (TraceFileWriter out = TraceFileWriter.create(file, new TraceFileWriter.FileOptions(2, 1_000, 4))) {
            for (TraceEventBuilder event : events) {
                out.write(event.build());
            }
        }
        return file;
    }

    private static TraceEventBuilder at(long millis, Call call, String path) {
        return new TraceEventBuilder(call).path(path).at(millis * MILLI, millis * MILLI);
    }

    private CommandRun measure(Path trace, String tolerance, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "audit-price",
                "--trace",
                trace.toString(),
                "--measure",
                "s3://bucket/here",
                "--option",
                "packing.s3.endpoint=" + endpoint,
                "--option",
                "packing.s3.credentials.file=" + keys,
                "--tolerance",
                tolerance,
                "--json"));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray(String[]::new));
    }

    private static JsonNode row(JsonNode found, String what) {
        for (JsonNode row : found.path("audits").get(0).path("rows")) {
            if (row.path("what").asText().equals(what)) {
                return row;
            }
        }
        throw new AssertionError("no row " + what + " in " + found);
    }

    private void isEmpty() throws IOException {
        try (Stream<Path> files = Files.walk(home.resolve("s3/bucket"))) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void aTraceOfHadoopsCallsIsPlayedAndHeldAgainstItsSimulation() throws IOException {
        List<TraceEventBuilder> events = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long millis = 20L * i;
            String path = "/new/" + i;
            events.add(at(millis, Call.WRITE, path).range(0, SIZE).result(SIZE));
            events.add(at(millis + 1, Call.CLOSE_OUTPUT, path).result(SIZE));
            events.add(
                    at(millis + 2, Call.PREAD, "/old/" + i % 10).range(0, SIZE).result(SIZE));
        }
        events.add(at(2_001, Call.RENAME, "/new/0").target("/new/first").result(1));
        events.add(at(2_002, Call.PREAD, "/new/first").range(0, 10).result(10));
        events.add(at(2_003, Call.DELETE, "/new/1").result(1));
        Path trace = trace(events);
        CommandRun run = measure(trace, ANY, "--speed", "2", "--seal-after", "30s", "--blob-max-bytes", "4MB");
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        JsonNode found = new ObjectMapper().readTree(run.out());
        JsonNode puts = row(found, "PUT");
        // A blob, the rest of the journal, a backup and the lease; more blobs if the machine stood still for seconds.
        assertThat(puts.path("measured").asLong()).isGreaterThanOrEqualTo(3);
        assertThat(puts.path("predicted").asLong()).isBetween(3L, 6L);
        assertThat(row(found, "failed actions").path("measured").asLong()).isZero();
        assertThat(row(found, "ms of a read").path("measured").asDouble()).isPositive();
        assertThat(row(found, "s until durable").path("measured").asDouble()).isPositive();
        assertThat(found.path("measured").path("prepared_files").asInt()).isEqualTo(10);
        assertThat(found.path("measured").path("store_get_ms").asDouble()).isGreaterThanOrEqualTo(5);
        assertThat(found.path("choices")).isNotEmpty();
        isEmpty();
    }

    @Test
    void aPredictionThatIsOffFailsAndSoDoesATraceThatTheMountCannotPlay() throws IOException {
        String name = "n".repeat(300);
        Path trace = trace(List.of(
                at(0, Call.SYS_OPENAT, "/d/" + name).hint("flags=O_WRONLY|O_CREAT"),
                at(1, Call.SYS_PWRITE64, "/d/" + name).range(0, 10).result(10),
                at(2, Call.SYS_CLOSE, "/d/" + name),
                at(3, Call.SYS_OPENAT, "/d/f").hint("flags=O_WRONLY|O_CREAT"),
                at(4, Call.SYS_PWRITE64, "/d/f").range(0, 10).result(10),
                at(5, Call.SYS_CLOSE, "/d/f")));
        CommandRun run = measure(trace, "0", "--seal-after", "1s");
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCodes.FAILED);
        JsonNode found = new ObjectMapper().readTree(run.out());
        assertThat(found.path("within").asBoolean()).isFalse();
        assertThat(row(found, "failed actions").path("measured").asLong()).isEqualTo(1);
        assertThat(found.path("measured").path("failures").toString()).contains("nnn");
        isEmpty();
    }

    @Test
    void whatCannotBeMeasuredIsSaid() throws IOException {
        Path trace = trace(List.of(at(0, Call.CLOSE_OUTPUT, "/f").result(0)));
        assertThat(measure(trace, ANY, "--workers", "2").err()).contains("plays on one worker that packs");
        assertThat(measure(trace, ANY, "--speed", "0").err()).contains("--speed: above 0");
        assertThat(CommandRun.of("audit-price", "--trace", trace.toString(), "--speed", "2")
                        .err())
                .contains("--speed: needs --measure");
        assertThat(CommandRun.of("audit-price", "--measure", "s3://bucket/x").err())
                .contains("--measure: needs --trace");
        assertThat(CommandRun.of("audit-price", "--trace", trace.toString(), "--measure", "http://x")
                        .exitCode())
                .isEqualTo(ExitCodes.USAGE);
        s3.close();
        CommandRun dead = measure(trace, ANY, "--option", "packing.s3.retry.timeout=1s");
        assertThat(dead.exitCode()).as(dead.err()).isNotZero();
        assertThat(dead.err()).contains("here/measured-");
    }
}
