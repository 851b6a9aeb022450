// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hunt")
final class FuzzTest {
    private static final long SECONDS = Long.getLong("packing.fuzz.seconds", 20);
    private static final long SEED = Long.getLong("packing.seed", 1);

    @Test
    void hostileCallsKillNothingStopNothingAndLoseNothing() throws Exception {
        long calls = 0;
        long honestOperations = 0;
        // A busy machine takes more rounds.
        for (long seed = SEED; calls <= 500 || honestOperations <= 100; seed++) {
            Fuzz.Result result = Fuzz.run(new Fuzz.FuzzOptions(SECONDS, seed));
            FuzzReport.text(result).forEach(System.out::println);
            assertThat(result.finds()).as("seed %d", seed).isEmpty();
            assertThat(result.tally().count("calls")).isPositive();
            assertThat(result.tally().count("honest_operations")).isPositive();
            calls += result.tally().count("calls");
            honestOperations += result.tally().count("honest_operations");
        }
    }
}
