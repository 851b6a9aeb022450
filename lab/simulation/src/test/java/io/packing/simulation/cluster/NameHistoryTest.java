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

    /** Seed 60280: a write without an answer replaced the second content, and a delete without an answer ended both. */
    @Test
    void aDeleteWithoutAnAnswerMayBeUndoneByANewTable() {
        write(1);
        write(2);
        history.noteUnanswered(history.begin(3));
        int unused = history.begin(NameHistory.ABSENT);
        assertThat(ends(1)).isFalse();
        history.tableIsLost();
        assertThat(ends(1)).isTrue();
    }

    /** Seed 2133: the delete found nothing, since the worker that has the file had not come back. */
    @Test
    void aFileMayComeBackAfterADeleteThatDidNotFindIt() {
        write(1);
        assertThat(history.mayComeBack()).isFalse();
        history.tableIsLost();
        assertThat(history.mayComeBack()).isTrue();
        history.withdraw(history.begin(NameHistory.ABSENT));
        assertThat(reads(1)).isTrue();
        assertThat(ends(1)).isTrue();
        // When it has come back, the name is not absent any more.
        assertThat(ends(NameHistory.ABSENT)).isFalse();
        delete();
        assertThat(history.mayComeBack()).isFalse();
        assertThat(reads(1)).isFalse();
    }

    @Test
    void aWriteAfterTheLossIsTheNewestAtOnce() {
        write(1);
        history.tableIsLost();
        write(2);
        assertThat(reads(1)).isFalse();
        assertThat(history.isCertain()).isTrue();
    }

    @Test
    void aFileIsBesideItsNameOnlyAfterTheLossOfItsNoteAndOfTheTable() {
        write(1);
        int number = history.begin(2);
        history.acknowledgeWrite(number);
        history.noteIsLost(number);
        assertThat(history.mayBeBeside()).isFalse();
        history.tableIsLost();
        assertThat(history.mayBeBeside()).isTrue();
        write(3);
        assertThat(history.mayBeBeside()).isFalse();
    }

    @Test
    void aNoteIsLostOnlyWithThePowerSoonAfterTheAnswer() {
        UnforcedNotes notes = new UnforcedNotes();
        notes.started();
        int number = history.begin(1);
        history.acknowledgeWrite(number);
        notes.answered(history, number, 0);
        history.tableIsLost();
        notes.ended(100_000_000, false);
        assertThat(history.mayBeBeside()).isFalse();
        // The next process has not started: nothing has forced the note.
        notes.ended(60_000_000_000L, true);
        assertThat(history.mayBeBeside()).isTrue();
    }

    @Test
    void aStartForcesTheNotesOfTheProcessBefore() {
        UnforcedNotes notes = new UnforcedNotes();
        notes.started();
        int number = history.begin(1);
        history.acknowledgeWrite(number);
        notes.answered(history, number, 0);
        history.tableIsLost();
        notes.ended(100_000_000, false);
        notes.started();
        notes.ended(200_000_000, true);
        assertThat(history.mayBeBeside()).isFalse();
    }

    @Test
    void aRenamedNameMayHaveAnOlderStateOfTheOtherOne() {
        NameHistory source = new NameHistory();
        source.acknowledgeWrite(source.begin(1));
        source.acknowledgeWrite(source.begin(2));
        NameHistory target = new NameHistory();
        target.inherit(source);
        target.acknowledgeChange(target.begin(source.state()));
        assertThat(target.knows(1)).isTrue();
        assertThat(target.allows(target.acknowledged(), 1)).isFalse();
        assertThat(target.knows(3)).isFalse();
    }
}
