// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A test of the states that a name may have. */
class NameHistoryTest {
    private final NameHistory history = new NameHistory();

    private void write(long content) {
        history.acknowledgeWrite(history.begin(content));
    }

    private void delete() {
        history.acknowledgeChange(history.begin(NameHistory.ABSENT));
    }

    private boolean ends(long state) {
        return history.allows(history.acknowledged(), state);
    }

    private boolean reads(long state) {
        return history.allows(history.readable(), state);
    }

    @Test
    void noOlderStateShowsAgain() {
        write(1);
        write(2);
        int unused = history.begin(3);
        assertThat(ends(1)).isFalse();
        assertThat(ends(2)).isTrue();
        assertThat(ends(3)).isTrue();
        assertThat(history.isCertain()).isFalse();
    }

    @Test
    void aWriteComesBackToANewTable() {
        write(1);
        write(2);
        history.tableIsLost();
        assertThat(reads(1)).isTrue();
        assertThat(history.isComingBack()).isTrue();
        assertThat(ends(1)).isFalse();
        assertThat(ends(2)).isTrue();
    }

    @Test
    void aDeleteMayBeUndoneByANewTable() {
        write(1);
        write(2);
        delete();
        history.tableIsLost();
        assertThat(ends(NameHistory.ABSENT)).isTrue();
        // The second content ended with the delete.
        assertThat(ends(1)).isTrue();
        assertThat(history.isCertain()).isFalse();
    }

    @Test
    void aDeleteWhoseAnswerCameAfterTheLossMayBeUndone() {
        write(1);
        int begun = history.begin(NameHistory.ABSENT);
        history.tableIsLost();
        history.acknowledgeChange(begun);
        assertThat(ends(1)).isTrue();
    }

    @Test
    void aWriteAfterTheLossIsTheNewestAtOnce() {
        write(1);
        history.tableIsLost();
        write(2);
        assertThat(reads(1)).isFalse();
        assertThat(history.isCertain()).isTrue();
    }
}
