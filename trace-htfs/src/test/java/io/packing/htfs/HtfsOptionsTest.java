// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.htfs.record.CollapseLimits;
import io.packing.htfs.record.Drain;
import io.packing.options.Option;
import io.packing.trace.Call;
import io.packing.trace.RotatingTraceWriter;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class HtfsOptionsTest {
    private static HtfsOptions config(String... keysAndValues) {
        Configuration conf = new Configuration(false);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            conf.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return HtfsOptions.from(conf);
    }

    @Test
    void withoutKeysEverythingIsTracedWithTheDocumentedDefaults() {
        assertThat(config("fs.file.impl", "anything"))
                .isEqualTo(new HtfsOptions(
                        "",
                        65_536,
                        new CollapseLimits(4_096, 65_536, 1_000_000_000L),
                        new Drain.DrainOptions(TraceFilter.ALL, 1_000_000_000L, 5_000_000_000L),
                        new RotatingTraceWriter.RotationOptions(
                                Path.of(System.getProperty("java.io.tmpdir"), "htfs"),
                                256 << 20,
                                Duration.ofHours(1),
                                new TraceFileWriter.FileOptions(10_000, 4))));
    }

    @Test
    void everyKeyIsRead() {
        HtfsOptions config = config(
                "htfs.dir", "/traces",
                "htfs.process", "regionserver",
                "htfs.buffer.events", "1024",
                "htfs.collapse.call.bytes", "100",
                "htfs.collapse.run.bytes", "2KB",
                "htfs.collapse.age", "2s",
                "htfs.flush.after", "3s",
                "htfs.rotate.bytes", "1MB",
                "htfs.rotate.age", "5m",
                "htfs.tick", "1ms",
                "htfs.filter.calls", "pread, write",
                "htfs.filter.under", "/hbase/data, /hbase/WALs",
                "htfs.filter.not-under", "/hbase/data/hbase",
                "htfs.sample", "0.25",
                "htfs.underlying.impl", "A",
                "htfs.underlying.s3a.impl", "B");
        TraceFilter filter = new TraceFilter(
                Set.of(Call.PREAD, Call.WRITE),
                List.of("/hbase/data", "/hbase/WALs"),
                List.of("/hbase/data/hbase"),
                0.25);
        assertThat(config)
                .isEqualTo(new HtfsOptions(
                        "regionserver",
                        1_024,
                        new CollapseLimits(100, 2_048, 2_000_000_000L),
                        new Drain.DrainOptions(filter, 2_000_000_000L, 3_000_000_000L),
                        new RotatingTraceWriter.RotationOptions(
                                Path.of("/traces"),
                                1 << 20,
                                Duration.ofMinutes(5),
                                new TraceFileWriter.FileOptions(1_000_000, 4))));
    }

    @Test
    void aWrongValueIsNamedWithWhatWouldBeRight() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config("htfs.sample", "2"))
                .withMessageContaining("htfs.sample")
                .withMessageContaining("above 0, to 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config("htfs.filter.calls", "pread,preed"))
                .withMessageContaining("'preed'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config("htfs.rotate.age", "5"))
                .withMessageContaining("5s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config("htfs.tick", "2s"))
                .withMessageContaining("1us to 1s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config("htfs.rotate.size", "5"))
                .withMessageContaining("htfs.rotate.bytes");
    }

    @Test
    void theDocumentedTableIsThatOfTheOptions() throws Exception {
        String page = Files.readString(Path.of("../docs/tracing.md"));
        for (Option<?> option : HtfsOptions.OPTIONS) {
            assertThat(page).contains("`" + option.key() + "`");
            if (!option.defaultText().isEmpty() && !option.key().equals("htfs.dir")) {
                assertThat(page).contains("`%s` | `%s` |".formatted(option.key(), option.defaultText()));
            }
        }
    }
}
