// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.hbase.load.YcsbLoad;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DemoSpecTest {
    private static final YcsbLoad LOAD = new YcsbLoad(10, 10, 2, 1);

    private static DemoSpec spec(int regionServers, int pairs) {
        return new DemoSpec(DemoSpec.Kind.HBASE, LOAD, 0, regionServers, pairs, 1, Path.of("out"));
    }

    @Test
    void withoutPairsThereIsOneTracedRun() {
        assertThat(spec(1, 0).tracedRuns()).isEqualTo(1);
        assertThat(spec(1, 3).tracedRuns()).isEqualTo(3);
    }

    @Test
    void aRoundsOperationsAreSharedAmongItsTurns() {
        assertThat(spec(1, 1).turn().operations()).isEqualTo(3);
        assertThat(new DemoSpec(DemoSpec.Kind.MAPREDUCE, LOAD, 0, 1, 1, 1, Path.of("out"))
                        .turn()
                        .operations())
                .isEqualTo(10);
    }

    @Test
    void impossibleNumbersAreRefusedWithTheirOption() {
        assertThatThrownBy(() -> spec(0, 1))
                .hasMessageContaining("--region-servers")
                .hasMessageContaining("0");
        assertThatThrownBy(
                        () -> new DemoSpec(DemoSpec.Kind.HBASE, new YcsbLoad(10, 15, 4, 1), 0, 1, 1, 1, Path.of("out")))
                .as("a turn would have fewer operations than clients")
                .hasMessageContaining("--operations")
                .hasMessageContaining("16");
        assertThatThrownBy(() -> spec(5, 1))
                .hasMessageContaining("--region-servers")
                .hasMessageContaining("5");
        assertThatThrownBy(() -> spec(1, -1)).hasMessageContaining("--runs").hasMessageContaining("-1");
        assertThatThrownBy(() -> new DemoSpec(DemoSpec.Kind.HBASE, LOAD, 1, 1, 1, 1, Path.of("out")))
                .as("fewer than the clients")
                .hasMessageContaining("--warm-up");
        assertThatThrownBy(() -> new DemoSpec(DemoSpec.Kind.MAPREDUCE, LOAD, 100, 1, 1, 1, Path.of("out")))
                .as("jobs of processes of their own")
                .hasMessageContaining("--warm-up");
        for (int rounds : new int[] {0, 2}) {
            assertThatThrownBy(() -> new DemoSpec(DemoSpec.Kind.MAPREDUCE, LOAD, 0, 1, 1, rounds, Path.of("out")))
                    .as("jobs whose results may be there once")
                    .hasMessageContaining("--rounds");
        }
    }
}
