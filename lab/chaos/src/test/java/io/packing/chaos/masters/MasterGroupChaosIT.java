// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.run.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A short run of {@code bin/lab chaos --masters 3}. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "all of 127.0.0.0/8 has to be loopback")
@Tag("hunt")
class MasterGroupChaosIT {
    private static final long SEED = Long.getLong("packing.seed", 1);
    private static final int ROUNDS = Integer.getInteger("packing.chaos.rounds", 2);

    // A failed round leaves its files, for the search of the cause.
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path home;

    @Test
    void whatClientsOfThreeMastersSeeIsLinearizableAndNothingAcknowledgedIsLost() throws Exception {
        play(ROUNDS, Seeds.from(SEED));
    }

    /**
     * Plays a follower's full disk, a worker's wrong clock and a new authority, with TLS on all ports and an encrypted
     * mount.
     */
    @Test
    void fullDisksWrongClocksAndOtherCertificatesChangeNothing() throws Exception {
        List<Long> seeds = List.of(174L, 251L);
        AtomicInteger next = new AtomicInteger();
        play(seeds.size(), new Seeds(seeds.toString(), () -> seeds.get(next.getAndIncrement() % seeds.size())));
    }

    private void play(int rounds, Seeds seeds) throws IOException, InterruptedException {
        List<String> told = new ArrayList<>();
        MasterGroupResult result = MasterGroupChaos.run(home, 3, rounds, seeds, told::add);
        assertThat(result.isClean())
                .as("seeds of %s%n%s%n%s".formatted(seeds.text(), String.join("\n", told), result.fields()))
                .isTrue();
        assertThat(result.rounds()).isEqualTo(rounds);
        assertThat(result.operations()).isGreaterThan(rounds * 200L);
    }
}
