// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TableCountsTest {
    private final TableCounts counts = new TableCounts();

    private TableRaces.Figures figures() {
        return counts.figures(1, 1);
    }

    @Test
    void aTableWithTheAnsweredRowsIsSound() {
        counts.compare(List.of(2L, 1L), Set.of(1L, 2L), Optional.of(3L));
        counts.compare(List.of(3L, 2L, 1L), Set.of(1L, 2L), Optional.of(3L));
        counts.commits(2, 5);
        assertThat(figures()).isEqualTo(new TableRaces.Figures(1, 5, 2, 0, 0, 1, 0, ""));
        assertThat(figures().isSound()).isTrue();
    }

    @Test
    void anAnsweredRowThatIsMissingIsLost() {
        counts.compare(List.of(1L), Set.of(1L, 2L, 4L), Optional.of(5L));
        assertThat(figures().lost()).isEqualTo(2);
        assertThat(figures().isSound()).isFalse();
    }

    @Test
    void aRowThatIsThereTwiceIsCountedAlsoIfItHadNoAnswer() {
        counts.compare(List.of(1L, 1L, 2L, 2L), Set.of(1L), Optional.of(2L));
        assertThat(figures().twice()).isEqualTo(2);
        assertThat(figures().isSound()).isFalse();
    }

    @Test
    void aRowThatNoWriterWroteIsCounted() {
        counts.compare(List.of(1L, 9L), Set.of(1L), Optional.empty());
        assertThat(figures().twice()).isEqualTo(1);
        assertThat(figures().isSound()).isFalse();
    }

    @Test
    void theFirstFailureOfABrokenTableIsKept() {
        counts.breaks(new IOException("first"));
        counts.breaks(new IOException("second"));
        assertThat(figures().broken()).isEqualTo(2);
        assertThat(figures().failure()).contains("first");
        assertThat(figures().isSound()).isFalse();
    }
}
