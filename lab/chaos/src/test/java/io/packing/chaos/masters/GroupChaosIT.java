package io.packing.chaos.masters;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.run.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/bench chaos --masters 3} runs for long, for a minute. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "all of 127.0.0.0/8 has to be loopback")
class GroupChaosIT {
    private static final long SEED = Long.getLong("packing.seed", 1);
    private static final int ROUNDS = Integer.getInteger("packing.chaos.rounds", 2);

    // What a failed round left is what somebody needs who looks for the reason.
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path home;

    @Test
    void whatClientsOfThreeMastersSeeIsLinearizableAndNothingAcknowledgedIsLost() throws Exception {
        List<String> told = new ArrayList<>();
        GroupResult result = GroupChaos.run(home, 3, ROUNDS, Seeds.from(SEED), told::add);
        assertThat(result.isClean())
                .as("packing.seed=%d%n%s%n%s".formatted(SEED, String.join("\n", told), result.fields()))
                .isTrue();
        assertThat(result.rounds()).isEqualTo(ROUNDS);
        assertThat(result.operations()).isGreaterThan(ROUNDS * 200L);
    }
}
