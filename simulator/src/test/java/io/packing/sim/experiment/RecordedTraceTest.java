// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.packing.sim.RunResult;
import io.packing.trace.Call;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of recorded traces that are torn, empty or of another format. */
class RecordedTraceTest {
    private static final int READS = 200_000;

    @TempDir
    private Path directory;

    private final SweepListener quiet = new SweepListener() {
        @Override
        public void begins(String experiment, int points, int kept, long events) {}

        @Override
        public void played(long events) {}

        @Override
        public void finished() {}
    };

    private RunResult run(String model, Path trace) throws IOException, InterruptedException {
        Experiment experiment = Description.of(
                        "test",
                        ConfigFactory.parseString("""
                        title = t, source = s, %s
                        trace { machines = 1, files = ["%s"] }
                        columns = [events]
                        """.formatted(model, trace)).resolve(),
                        List.of())
                .experiments(1)
                .get(0);
        return new Sweep(directory.resolve("points"), 1, 1L << 32)
                .run(List.of(experiment), quiet)
                .seeds()
                .get(0)
                .get(0);
    }

    private Path written(int reads) throws IOException {
        Path file = directory.resolve("t" + reads + ".htfs");
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (long i = 0; i < reads; i++) {
                writer.write(new TraceEventBuilder(Call.PREAD)
                        .origin(new TraceOrigin("h", 1, "p"))
                        .at(i * 1_000_000, i * 1_000_000)
                        .path("/f")
                        .range(i * 31 % 1_000_000, 4096)
                        .result(4096)
                        .build());
            }
        }
        return file;
    }

    @Test
    void aTornTraceIsPlayedAsFarAsItGoesAndSaidToBeTorn() throws IOException, InterruptedException {
        Path file = written(READS);
        RunResult whole = run("model = layers", file);
        assertThat(whole.metric("events")).isEqualTo(READS);
        assertThat(whole.metric("trace-torn")).isZero();
        byte[] bytes = Files.readAllBytes(file);
        Path torn = Files.write(directory.resolve("torn.htfs"), Arrays.copyOf(bytes, bytes.length * 2 / 3));
        for (String model : new String[] {"model = layers", """
            model = packing, stack { workload = trace, store.prices { put.per.1000 = 1, list.per.1000 = 1, get.per.1000 = 1
            head.per.1000 = 1, gb.bytes = 1000000000, storage.per.gb.month = 1, upload.per.gb = 0, puts.per.second = 1 } }"""}) {
            RunResult result = run(model, torn);
            assertThat(result.metric("events")).isPositive().isLessThan(READS);
            assertThat(result.metric("trace-torn")).isEqualTo(1);
        }
    }

    @Test
    void anEmptyTraceIsRefused() {
        assertThatThrownBy(() -> run("model = layers", written(0))).hasMessageContaining("the trace is empty");
    }

    @Test
    void whatIsNoTraceIsRefusedByName() throws IOException {
        Path other = Files.writeString(directory.resolve("other.htfs"), "not a trace, but quite long ".repeat(100));
        assertThatThrownBy(() -> run("model = layers", other)).hasMessageContaining("other.htfs");
    }
}
