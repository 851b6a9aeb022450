// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short soak with a planted leak in real daemons: a judge that finds none of them would find no leak. */
@Tag("experiment")
class SoakIT {
    private static final long SECONDS = 60;

    @TempDir
    private Path home;

    private Soak.Result soak(Soak.Leak leak) throws Exception {
        Soak.Terms terms = new Soak.Terms(
                Duration.ofSeconds(SECONDS), Duration.ofSeconds(2), Duration.ofMillis(2), 1, Optional.of(leak));
        return Soak.run(home, terms, System.out::println);
    }

    private static boolean grew(Soak.Result result, String name) {
        return result.verdicts().stream().anyMatch(verdict -> verdict.name().equals(name) && !verdict.flat());
    }

    @Test
    void connectionsThatAClientKeepsAreFound() throws Exception {
        Soak.Result result = soak(Soak.Leak.DESCRIPTORS);
        assertThat(result.failures()).isEmpty();
        assertThat(result.operations()).isPositive();
        assertThat(grew(result, "master descriptors"))
                .as(result.verdicts().toString())
                .isTrue();
        assertThat(result.isFlat()).isFalse();
    }
}
