package io.packing.cli.tracedemo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.hbase.load.LoadSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DemoSpecTest {
    private static final LoadSpec LOAD = new LoadSpec(10, 10, 2, 1);

    private static DemoSpec spec(int regionServers, int pairs) {
        return new DemoSpec(DemoSpec.Kind.HBASE, LOAD, 0, regionServers, pairs, Path.of("out"));
    }

    @Test
    void everyTracedRunHasAnUntracedOneBesideItAndEverySecondPairIsTurnedAround() {
        assertThat(spec(1, 3).traced()).containsExactly(true, false, false, true, true, false);
    }

    @Test
    void withoutPairsThereIsOneTracedRun() {
        assertThat(spec(1, 0).traced()).containsExactly(true);
    }

    @Test
    void impossibleNumbersAreRefusedWithTheirOption() {
        assertThatThrownBy(() -> spec(0, 1))
                .hasMessageContaining("--region-servers")
                .hasMessageContaining("0");
        assertThatThrownBy(() -> spec(5, 1))
                .hasMessageContaining("--region-servers")
                .hasMessageContaining("5");
        assertThatThrownBy(() -> spec(1, -1)).hasMessageContaining("--runs").hasMessageContaining("-1");
        assertThatThrownBy(() -> new DemoSpec(DemoSpec.Kind.HBASE, LOAD, 1, 1, 1, Path.of("out")))
                .as("fewer than the clients")
                .hasMessageContaining("--warm-up");
        assertThatThrownBy(() -> new DemoSpec(DemoSpec.Kind.MAPREDUCE, LOAD, 100, 1, 1, Path.of("out")))
                .as("jobs of processes of their own")
                .hasMessageContaining("--warm-up");
    }
}
