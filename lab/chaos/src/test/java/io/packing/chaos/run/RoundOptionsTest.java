// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RoundOptionsTest {
    private static RoundOptions parsed(String... words) {
        return CommandLine.populateCommand(new RoundOptions(), words);
    }

    @Test
    void theRoundOfASeedIsPlayedAgainAndAgain() {
        Seeds seeds = parsed("--round-seed", "174").seeds();
        assertThat(seeds.next().getAsLong()).isEqualTo(174);
        assertThat(seeds.next().getAsLong()).isEqualTo(174);
    }

    @Test
    void otherwiseRoundsHaveSeedsOfTheirOwn() {
        Seeds seeds = parsed("--seed", "1").seeds();
        assertThat(seeds.next().getAsLong()).isEqualTo(Seeds.from(1).next().getAsLong());
        assertThat(seeds.next().getAsLong()).isNotEqualTo(Seeds.from(1).next().getAsLong());
    }
}
