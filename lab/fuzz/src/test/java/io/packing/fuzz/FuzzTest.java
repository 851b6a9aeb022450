package io.packing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FuzzTest {
    private static final long SECONDS = Long.getLong("packing.fuzz.seconds", 20);
    private static final long SEED = Long.getLong("packing.seed", 1);

    @Test
    void hostileCallsKillNothingStopNothingAndLoseNothing() throws Exception {
        Fuzz.Result result = Fuzz.run(new Fuzz.Settings(SECONDS, SEED));
        Report.text(result).forEach(System.out::println);
        assertThat(result.finds()).as("seed %d", SEED).isEmpty();
        assertThat(result.calls()).isGreaterThan(500);
        assertThat(result.honestOperations()).isGreaterThan(100);
    }
}
