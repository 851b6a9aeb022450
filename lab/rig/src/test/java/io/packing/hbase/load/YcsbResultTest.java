// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.MapEntry;
import org.junit.jupiter.api.Test;

class YcsbResultTest {
    /** The output of YCSB 0.17. */
    private static final String PRINTED = """
            Command line: -t -db x
            progress 100
            [OVERALL], RunTime(ms), 14410
            [OVERALL], Throughput(ops/sec), 1387.9250520471894
            [TOTAL_GCS_Copy], Count, 45
            [TOTAL_GC_TIME], Time(ms), 50
            [READ], Operations, 12000
            [READ], AverageLatency(us), 3159.5
            [READ], 95thPercentileLatency(us), 7000
            [READ], Return=OK, 11990
            [READ], Return=ERROR, 10
            [READ-FAILED], Operations, 10
            [READ-FAILED], AverageLatency(us), 99
            [CLEANUP], Operations, 8
            [CLEANUP], AverageLatency(us), 12
            progress 200
            [DELETE], AverageLatency(us), 6435.6
            [DELETE], Return=OK, 1200
            """;

    @Test
    void whatYcsbPrintsIsRead() throws Exception {
        List<Long> progress = new ArrayList<>();
        YcsbResult.Reader reader = new YcsbResult.Reader(progress::add);
        PRINTED.lines().forEach(reader);
        YcsbResult result = reader.result();
        assertThat(result.operations()).isEqualTo(13_200);
        assertThat(result.failures()).isEqualTo(10);
        assertThat(result.seconds()).isEqualTo(14.41);
        assertThat(result.operationsPerSecond()).isEqualTo(1387.9250520471894);
        assertThat(result.meanMicros()).containsOnly(MapEntry.entry("READ", 3159.5), MapEntry.entry("DELETE", 6435.6));
        assertThat(progress).isEqualTo(List.of(100L, 200L));
    }

    @Test
    void aClientThatPrintsNoResultFailed() {
        YcsbResult.Reader reader = new YcsbResult.Reader(done -> {});
        reader.accept("usage: ...");
        assertThatThrownBy(reader::result).isInstanceOf(IOException.class).hasMessageContaining("YCSB");
    }

    @Test
    void moreClientsThanWorkAreRefused() {
        assertThatThrownBy(() -> new YcsbLoad(100, 10, 11, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new YcsbLoad(10, 100, 11, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new YcsbLoad(0, 100, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rowsAndRequestsAreMadeOfDifferentRandomNumbers() {
        YcsbLoad spec = new YcsbLoad(100, 1000, 8, 5);
        assertThat(spec.load()).contains(HBaseBinding.class.getName(), "workload=" + MessagesWorkload.class.getName());
        assertThat(spec.load()).startsWith("-load").contains("messages.seed=5", "recordcount=100");
        assertThat(spec.run()).startsWith("-t").contains("messages.seed=-6", "operationcount=1000");
    }
}
