// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that a call's result or failure is equal with and without tracing. */
class SameWithAndWithoutTest {
    @TempDir
    private Path temp;

    private static Map<String, String> run(DistributedFileSystem fs) throws IOException {
        HdfsScript script = new HdfsScript();
        Map<String, String> outcomes = new LinkedHashMap<>();
        try (fs) {
            for (String name : script.names()) {
                // Numbers of blocks, tokens and objects differ from run to run.
                outcomes.put(name, script.take(name, fs).replaceAll("@[0-9a-f]+|MD5:[0-9a-f]+|\\d{6,}", "#"));
            }
        }
        return outcomes;
    }

    @Test
    void everyCallOfHdfsEndsAsItDoesUntraced() throws IOException {
        Path traces = temp.resolve("traces");
        Map<String, String> without;
        Map<String, String> with;
        try (HdfsForTests hdfs = HdfsForTests.start(temp.resolve("hdfs"))) {
            without = run(hdfs.plain());
            with = run(hdfs.traced(traces));
        }
        assertThat(with).isEqualTo(without).hasSizeGreaterThan(90);
        List<TraceEvent> events = Traces.finish(traces);
        assertThat(events.stream().map(TraceEvent::call).distinct())
                .hasSizeGreaterThan(60)
                .doesNotContain(Call.UNKNOWN);
        assertThat(events.stream().filter(TraceEvent::failed)).hasSizeGreaterThan(15);
    }
}
