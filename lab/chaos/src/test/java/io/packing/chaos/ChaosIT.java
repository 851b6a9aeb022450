// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.cluster.StoreKind;
import io.packing.chaos.run.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A short run of {@code bin/lab chaos}. */
@Tag("hunt")
class ChaosIT {
    private static final long SEED = Long.getLong("packing.seed", 1);
    private static final int ROUNDS = Integer.getInteger("packing.chaos.rounds", 4);

    // A failed round leaves its files, for the search of the cause.
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path home;

    @Test
    void nothingAcknowledgedIsLostComesBackOrReadsWrongInAnyRound() throws Exception {
        List<String> told = new ArrayList<>();
        Chaos.Result result = Chaos.run(home, ROUNDS, Seeds.from(SEED), StoreKind.S3, told::add);
        assertThat(result.isClean())
                .as("packing.seed=%d%n%s%n%s".formatted(SEED, String.join("\n", told), result.fields()))
                .isTrue();
        assertThat(result.counts().of("rounds")).isEqualTo(ROUNDS);
        assertThat(result.counts().of("files_checked")).isGreaterThan(ROUNDS * 50L);
    }
}
