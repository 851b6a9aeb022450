// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.ExitCodes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a command refuses wrong options before any server starts. */
class ExperimentCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "experiment ingest",
                "experiment read",
                "experiment door",
                "experiment sizes",
                "experiment commit",
                "experiment transactions",
                "experiment shared-read",
                "experiment images"
            })
    void anOptionThatIsGivenTwiceIsRefused(String command) {
        refused(command + " --policy fifo --option packing.policy=size", "--policy", "packing.policy");
        refused(command + " --seal-after 1s --option packing.seal.after=2s", "--seal-after");
        refused(command + " --option packing.store=s3://other/place", "packing.store");
        refused(command + " --option packing.polcy=size", "packing.polcy", "packing.policy");
        refused(command + " --policy none", "packing.policy");
        refused(command + " --durability maybe", "packing.durability");
    }

    @Test
    void whatMeansNothingAtADoorIsRefused() {
        refused("experiment ingest --door engine --write-type THROUGH", "--write-type", "engine");
        refused("experiment ingest --door alluxio --window 3", "--window", "alluxio");
        refused("experiment ingest --door alluxio --rate 3", "--rate", "alluxio");
        refused("experiment ingest --door alluxio --direct sdk", "--direct", "alluxio");
        refused("experiment ingest --door hadoop --window 3", "--window", "hadoop");
        refused("experiment ingest --door hadoop --write-type THROUGH", "--write-type", "hadoop");
        refused("experiment ingest --rate 0", "--rate", "above 0");
        refused("experiment ingest --door cellar", "--door", "cellar");
    }

    @Test
    void impossibleNumbersAreRefused() {
        refused("experiment ingest --files 10 --direct-files 11", "--direct-files 11", "10");
        refused("experiment ingest --runs 0", "--runs");
        refused("experiment ingest --direct sdk,sdk", "--direct");
        refused("experiment ingest --direct curl", "--direct", "curl");
        refused("experiment ingest --size 5MB", "--size");
        refused("experiment ingest --size big", "--size", "big");
        refused("experiment ingest --put-limit -1", "--put-limit");
        refused("experiment ingest --put-latency 5", "--put-latency", "unit");
        refused("experiment ingest --prices cheap", "cheap");
        refused("experiment sizes --scale 0", "--scale");
        refused("experiment sizes --sizes 4KB,6TB", "--sizes");
        refused("experiment door --runs 0", "--runs");
        refused("experiment clone --files 10", "--files");
        refused("experiment clone --clones 0", "--clones");
        refused("experiment commit --files 0", "--files");
        refused("experiment commit --files 9 --tasks 10", "--tasks 10", "9 files");
        refused("experiment commit --size 5MB", "--size");
        refused("experiment commit --rounds -1", "--rounds");
        refused("experiment transactions --chunks 5MB", "--chunks");
        refused("experiment transactions --chunks 4KB,0", "--chunks");
        refused("experiment transactions --file-size 1KB", "--file-size 1024", "4096");
        refused("experiment transactions --writes 0", "--writes");
        refused("experiment shared-read --clones 1", "--clones");
        refused("experiment shared-read --size 16GB", "--size", "memory");
        refused("demo --files 0", "--files");
        refused("demo --write-type MUST_CACHE", "--write-type", "MUST_CACHE");
    }

    private static void refused(String words, String... says) {
        LabRun run = LabRun.of(words.split(" "));
        assertThat(run.exitCode()).as(words + ": " + run.err()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains(List.of(says));
        assertThat(run.out()).isEmpty();
    }
}
