// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short form of {@code bin/lab histories}: names of simulated clusters are registers to both checkers. Needs Go, and its module proxy the first time. */
@Tag("process")
class HistoriesTest {
    private static final int HISTORIES = 300;
    private static final int BROKEN = 12;

    @TempDir
    private Path dir;

    @Test
    void bothCheckersRefuseTheBrokenHistoriesAndNoOther() throws Exception {
        Optional<Path> go = PorcupineChecker.go();
        assumeTrue(go.isPresent(), "install Go 1.24 or newer: it builds the program that asks Porcupine");
        PorcupineChecker porcupine = PorcupineChecker.build(go.get(), Path.of("../.."));
        HistoryCheck check = HistoryCheck.record(new HistoryCheck.Terms(1, 300, HISTORIES, BROKEN));
        Path file = dir.resolve("histories.jsonl");
        check.write(file);
        HistoryCheck.Outcome outcome = check.compare(porcupine.verdicts(file));
        assertThat(outcome.refused()).isEmpty();
        assertThat(outcome.differing()).isEmpty();
        assertThat(outcome.foundByOurs()).isEqualTo(BROKEN);
        assertThat(outcome.foundByPorcupine()).isEqualTo(BROKEN);
        assertThat(outcome.isRight()).as(outcome.json()).isTrue();
        assertThat(outcome.histories()).isEqualTo(HISTORIES);
    }
}
