// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.chaos.fuse.FuseChaos;
import io.packing.chaos.run.Seeds;
import io.packing.fuse.mount.FuseMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A short run of {@code bin/lab chaos fuse}. */
@Tag("hunt")
class FuseChaosIT {
    private static final long SEED = Long.getLong("packing.seed", 1);
    private static final int ROUNDS = Integer.getInteger("packing.chaos.rounds", 3);

    // A failed round leaves its files, for the search of the cause.
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path home;

    @Test
    void noAcknowledgedFsyncIsLostAndNothingHangsOrIsLeft() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        List<String> told = new ArrayList<>();
        FuseChaos.Result result = FuseChaos.run(home, ROUNDS, Seeds.from(SEED), told::add);
        assertThat(result.isClean())
                .as("packing.seed=%d%n%s%n%s".formatted(SEED, String.join("\n", told), result.fields()))
                .isTrue();
        assertThat(result.rounds()).isEqualTo(ROUNDS);
        assertThat(result.counts())
                .hasEntrySatisfying("files_checked", count -> assertThat(count).isGreaterThan(ROUNDS * 5L));
    }
}
