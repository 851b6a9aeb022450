// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.page;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceOrigin;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.Rules;
import io.packing.trace.synth.SynthOptions;
import io.packing.trace.synth.SynthTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Traces whose reports have every figure: system calls of many tasks, and synthetic calls of HBase. */
final class SampleTraces {
    private static final long START = 1_700_000_000_000_000_000L;
    private static final String DEEP =
            "/home/somebody/.local/share/an-application-with-a-long-name/versions/2026.11.29/cache/file-";
    private static final int FILES = 12;
    /** The fewest events that a synthetic trace has; the first of them are enough for every figure. */
    private static final long SYNTHETIC = 1_000_000;

    private static final long FIRST = 20_000;

    private SampleTraces() {}

    /** Writes the traces below a directory and analyzes them. */
    static Analysis.Results analyze(Path home, List<String> tasks, long seed) throws IOException, InterruptedException {
        Path traces = Files.createDirectories(home.resolve("traces"));
        long stream = 0;
        for (String task : tasks) {
            stream = systemCalls(traces.resolve(task + ".htfs"), task, stream);
        }
        try (SynthTrace trace = SynthTrace.open(SynthOptions.of(SYNTHETIC, seed));
                TraceFileWriter writer = TraceFileWriter.create(traces.resolve("hbase.htfs"))) {
            Optional<TraceEvent> event = trace.next();
            for (long i = 0; i < FIRST && event.isPresent(); i++) {
                writer.write(event.orElseThrow());
                event = trace.next();
            }
        }
        return new Analysis(
                        Rules.hbase(),
                        List.of(traces.toUri().toString()),
                        home.resolve("work").toUri().toString(),
                        Optional.empty(),
                        1)
                .runAll((number, of, what) -> {});
    }

    private static long systemCalls(Path file, String task, long before) throws IOException {
        long stream = before;
        try (TraceFileWriter writer = TraceFileWriter.create(file, TraceFileWriter.FileOptions.ofVersion(2))) {
            for (int i = 0; i < FILES; i++) {
                stream++;
                for (Call call : List.of(Call.SYS_OPENAT, Call.SYS_READ, Call.SYS_WRITE, Call.SYS_CLOSE)) {
                    long bytes = call == Call.SYS_READ ? 7L << (2 * i) : 10;
                    TraceEventBuilder event = new TraceEventBuilder(call)
                                    .origin(new TraceOrigin("desk", 7, "app"))
                                    .at(START + stream * 1_000, stream)
                                    .caller("7", "", task)
                                    .stream(stream)
                                    .path(DEEP + i + (i % 2 == 0 ? ".jpg" : ".conf"))
                                    .fileSize(8L << (2 * i));
                    writer.write((call.reads() || call.writes()
                                    ? event.range(0, bytes).result(bytes)
                                    : event)
                            .build());
                }
            }
        }
        return stream;
    }
}
