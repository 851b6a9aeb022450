// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.cli.launch.Narrator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement of pulls with real processes, on two small layers. */
@Tag("process")
class PullBenchIT {
    /** Large extents pass the cache by, so that each round reads the store; smaller layers have few of them. */
    private static final int LAYER_MEGABYTES = 4;

    private static boolean has(String program) {
        try {
            HostPrograms.check(program, "");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void everyWayGivesAllBytesInEveryRound() throws Exception {
        assumeTrue(has("docker-registry"), "it needs docker-registry: apt-get install docker-registry");
        PullBench.Result result =
                new PullBench(new PullBench.Spec(2, LAYER_MEGABYTES, 2, 2, 1), Map.of(), new Narrator(true)).run();
        assertThat(result.wrongDigests()).isZero();
        assertThat(result.layerBytes()).isGreaterThan(2_000_000);
        assertThat(result.ways().keySet())
                .containsExactly(
                        PullBench.PEER,
                        PullBench.PEER_ON_FILES,
                        PullBench.INTACT,
                        PullBench.SPLIT,
                        PullBench.SEQUENTIAL,
                        PullBench.CACHED);
        for (String name : List.of(PullBench.PEER, PullBench.INTACT)) {
            PullBench.Way way = Optional.ofNullable(result.ways().get(name)).orElseThrow();
            assertThat(way.getsPerGb()).as("requests of " + name).isPositive();
            assertThat(way.readRatio()).as("bytes for " + name).isBetween(0.99, 3.0);
        }
        assertThat(result.ways().values())
                .allSatisfy(way -> assertThat(way.rates()).hasSize(2).allMatch(rate -> rate > 0));
        assertThat(result.ratios()).containsKeys("intact / docker-registry", "split / split, sequential");
    }

    @Test
    void nothingToMeasureIsRefused() {
        assertThatThrownBy(() -> new PullBench.Spec(0, 1, 1, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--layers");
    }
}
