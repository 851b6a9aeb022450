// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetSinkTest {
    private static final Call[] CALLS = Call.values();

    @TempDir
    private Path temp;

    private static final class Reader extends ParquetReader.Builder<Group> {
        Reader(InputFile file) {
            super(file);
        }

        @Override
        protected ReadSupport<Group> getReadSupport() {
            return new GroupReadSupport();
        }
    }

    private static List<TraceEvent> random(int count) {
        Random random = Seed.random();
        List<TraceEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TraceEventBuilder event = new TraceEventBuilder(CALLS[random.nextInt(CALLS.length)])
                            .origin(new TraceOrigin("host-" + i % 3, i % 5, i % 3 == 0 ? "" : "regionserver"))
                            .at(1_700_000_000_000_000_000L + i, random.nextLong() >> 2)
                            .duration(random.nextInt(1_000_000))
                            .caller(
                                    i % 2 == 0 ? "" : "thread-" + i % 7,
                                    i % 5 == 0 ? "" : "hbase",
                                    i % 3 == 0 ? "c" : "")
                            .fileSystem(i % 4)
                            .stream(random.nextInt(5) - 1L)
                            .path(i % 9 == 0 ? "" : "/été/" + i % 100);
            if (random.nextBoolean()) {
                event.range(random.nextLong() >>> 2, random.nextInt(1_000)).result(random.nextInt(100));
            }
            if (i % 10 == 0) {
                event.target("/target")
                        .error("IOException")
                        .hints("readahead=1")
                        .descriptor(3 + i % 5)
                        .fileSize(i % 3 == 0 ? TraceEvent.NONE : 1_000L + i);
            }
            TraceEvent built = event.build();
            events.add(
                    i % 6 == 0 ? event.collapsed(2 + i, built.monoNanos() + 77).build() : built);
        }
        return events;
    }

    @Test
    void everyColumnOfEveryEventIsReadBackByTheLibrarysReader() throws IOException {
        List<TraceEvent> events = random(20_000);
        Path file = temp.resolve("events.parquet");
        try (ParquetSink sink = new ParquetSink(file)) {
            for (TraceEvent event : events) {
                sink.write(event);
            }
        }
        List<TraceEvent> read = new ArrayList<>();
        try (ParquetReader<Group> reader = new Reader(new LocalInputFile(file)).build()) {
            for (Group row = reader.read(); row != null; row = reader.read()) {
                read.add(event(row));
            }
        }
        assertThat(read).isEqualTo(events);
    }

    private static TraceEvent event(Group row) {
        return new TraceEvent(
                new TraceOrigin(text(row, "host"), row.getLong("pid", 0), text(row, "process")),
                row.getLong("wall_ns", 0),
                row.getLong("mono_ns", 0),
                row.getLong("duration_ns", 0),
                row.getLong("last_ns", 0),
                Call.ofLabel(text(row, "call")).orElseThrow(),
                row.getInteger("count", 0),
                text(row, "thread"),
                text(row, "user"),
                text(row, "context"),
                row.getInteger("file_system", 0),
                number(row, "stream"),
                text(row, "path"),
                text(row, "target"),
                number(row, "offset"),
                number(row, "length"),
                number(row, "result"),
                text(row, "error"),
                text(row, "hints"),
                number(row, "descriptor"),
                number(row, "file_size"));
    }

    private static String text(Group row, String name) {
        return row.getFieldRepetitionCount(name) == 0 ? "" : row.getString(name, 0);
    }

    private static long number(Group row, String name) {
        return row.getFieldRepetitionCount(name) == 0 ? TraceEvent.NONE : row.getLong(name, 0);
    }
}
