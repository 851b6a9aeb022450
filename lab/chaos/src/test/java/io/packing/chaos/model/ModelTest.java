// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.model.Violation.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A test of the judge: it names each violation, and accepts each allowed state. */
class ModelTest {
    private static final String FILE = "/lane-0/f";
    private static final SeededContent FIRST = new SeededContent(1, 100);
    private static final SeededContent SECOND = new SeededContent(2, 200);

    private final Model synced = new Model(false, false);
    private final Model uploaded = new Model(true, false);

    private static void write(Model model, String path, SeededContent content) {
        model.done(model.create(path, content, 0644));
    }

    private static Observation file(SeededContent content) {
        return Observation.file(content, Optional.of(0644));
    }

    private static Optional<Kind> judge(Model model, String path, Observation sight) {
        return model.observe(path, model.moment(path), sight).map(Violation::kind);
    }

    @Test
    void anAcknowledgedFileThatIsNotThereIsLost() {
        write(synced, FILE, FIRST);
        assertThat(judge(synced, FILE, file(FIRST))).isEmpty();
        assertThat(judge(synced, FILE, Observation.ABSENT)).contains(Kind.LOST);
        assertThat(judge(synced, FILE, Observation.lost("gone"))).contains(Kind.LOST);
    }

    @Test
    void aDeletedFileThatIsThereReturned() {
        write(synced, FILE, FIRST);
        synced.done(synced.delete(FILE));
        assertThat(judge(synced, FILE, Observation.ABSENT)).isEmpty();
        assertThat(judge(synced, FILE, file(FIRST))).contains(Kind.RETURNED);
        assertThat(judge(synced, FILE, Observation.unreadable("whatever"))).contains(Kind.RETURNED);
        assertThat(judge(synced, FILE, Observation.lost("as an entry without bytes")))
                .contains(Kind.RETURNED);
    }

    @Test
    void anOverwrittenFileThatIsThereReturned() {
        write(synced, FILE, FIRST);
        write(synced, FILE, SECOND);
        assertThat(judge(synced, FILE, file(SECOND))).isEmpty();
        assertThat(judge(synced, FILE, file(FIRST))).contains(Kind.RETURNED);
    }

    @Test
    void otherBytesAndAnotherModeAreWrong() {
        write(synced, FILE, FIRST);
        assertThat(judge(synced, FILE, Observation.unreadable("byte 3 differs")))
                .contains(Kind.WRONG);
        assertThat(judge(synced, FILE, Observation.file(FIRST, Optional.of(0600))))
                .contains(Kind.WRONG);
        assertThat(judge(synced, FILE, Observation.DIRECTORY)).contains(Kind.WRONG);
    }

    @Test
    void aFlippedByteIsNoMatch() {
        byte[] bytes = FIRST.bytes();
        assertThat(FIRST.mismatch(bytes)).isEqualTo(-1);
        bytes[42] ^= 1;
        assertThat(FIRST.mismatch(bytes)).isEqualTo(42);
        assertThat(FIRST.mismatch(new byte[0])).isZero();
    }

    @Test
    void afterAMoveTheFileIsAtItsNewPathOnly() {
        write(synced, FILE, FIRST);
        synced.done(synced.rename(FILE, "/lane-0/g"));
        assertThat(judge(synced, "/lane-0/g", file(FIRST))).isEmpty();
        assertThat(judge(synced, FILE, Observation.ABSENT)).isEmpty();
        assertThat(judge(synced, FILE, file(FIRST))).contains(Kind.RETURNED);
        assertThat(judge(synced, "/lane-0/g", Observation.ABSENT)).contains(Kind.LOST);
    }

    @Test
    void theTreeOfAMovedOrDeletedDirectoryGoesWithIt() {
        synced.done(synced.mkdir("/lane-0/d"));
        write(synced, "/lane-0/d/f", FIRST);
        synced.done(synced.rename("/lane-0/d", "/lane-0/e"));
        assertThat(judge(synced, "/lane-0/e/f", file(FIRST))).isEmpty();
        assertThat(judge(synced, "/lane-0/d/f", file(FIRST))).contains(Kind.RETURNED);
        synced.done(synced.delete("/lane-0/e"));
        assertThat(judge(synced, "/lane-0/e/f", file(FIRST))).contains(Kind.RETURNED);
        assertThat(judge(synced, "/lane-0/e", Observation.DIRECTORY)).contains(Kind.RETURNED);
    }

    @Test
    void afterAnOperationWithoutAnAnswerBothAreRightUntilOneIsSeenInPeace() {
        write(synced, FILE, FIRST);
        synced.unknown(synced.create(FILE, SECOND, 0644));
        assertThat(synced.isTouchable(FILE)).isFalse();
        assertThat(judge(synced, FILE, file(FIRST))).isEmpty();
        assertThat(judge(synced, FILE, Observation.ABSENT)).contains(Kind.LOST);
        assertThat(synced.settle(Map.of(FILE, file(FIRST)))).isEmpty();
        assertThat(synced.isTouchable(FILE)).isTrue();
        assertThat(judge(synced, FILE, file(SECOND))).contains(Kind.RETURNED);
    }

    @Test
    void onceTheNewVersionWasSeenTheOldOneMayNotReturn() {
        write(synced, FILE, FIRST);
        synced.unknown(synced.create(FILE, SECOND, 0644));
        assertThat(judge(synced, FILE, file(SECOND))).isEmpty();
        assertThat(judge(synced, FILE, file(FIRST))).contains(Kind.RETURNED);
    }

    @Test
    void aBufferThatIsGoneMayTakeWhatWasNeverStoredAndNothingElse() {
        write(synced, FILE, FIRST);
        write(synced, "/lane-0/stored", FIRST);
        synced.flushed(List.of(synced.acknowledged().get(1)));
        synced.bufferLost();
        assertThat(judge(synced, FILE, Observation.lost("gone"))).isEmpty();
        assertThat(judge(synced, FILE, Observation.ABSENT)).contains(Kind.LOST);
        assertThat(judge(synced, "/lane-0/stored", Observation.lost("gone"))).contains(Kind.LOST);
    }

    @Test
    void aFileThatWasGoneMayBeFoundAgainButNotOnceItWasDeleted() {
        write(synced, FILE, FIRST);
        synced.bufferLost();
        assertThat(synced.settle(Map.of(FILE, Observation.lost("gone")))).isEmpty();
        assertThat(judge(synced, FILE, file(FIRST))).isEmpty();
        assertThat(judge(synced, FILE, Observation.ABSENT)).contains(Kind.LOST);
        synced.done(synced.delete(FILE));
        assertThat(judge(synced, FILE, file(FIRST))).contains(Kind.RETURNED);
    }

    @Test
    void withUploadedDurabilityNoBufferMayTakeAnything() {
        write(uploaded, FILE, FIRST);
        uploaded.bufferLost();
        assertThat(judge(uploaded, FILE, Observation.lost("gone"))).contains(Kind.LOST);
    }

    @Test
    void withUploadedDurabilityAnOverwriteThatWasNeverAcknowledgedLeavesTheFileThatWas() {
        write(uploaded, FILE, FIRST);
        uploaded.unknown(uploaded.create(FILE, SECOND, 0644));
        uploaded.bufferLost();
        assertThat(judge(uploaded, FILE, file(FIRST))).isEmpty();
        assertThat(judge(uploaded, FILE, Observation.lost("gone"))).contains(Kind.LOST);
    }

    @Test
    void anOverwriteWithoutAnAnswerMayComeFromTheStoreButNotAfterAnotherOne() {
        write(uploaded, FILE, FIRST);
        uploaded.unknown(uploaded.create(FILE, SECOND, 0644));
        assertThat(uploaded.settle(Map.of(FILE, file(FIRST)))).isEmpty();
        assertThat(judge(uploaded, FILE, file(SECOND))).contains(Kind.RETURNED);
        uploaded.done(uploaded.rename(FILE, "/lane-0/g"));
        uploaded.checkpointed(uploaded.beforeCheckpoint());
        uploaded.tableLost();
        assertThat(judge(uploaded, "/lane-0/g", file(FIRST))).isEmpty();
        assertThat(judge(uploaded, "/lane-0/g", Observation.file(SECOND, Optional.of(0644))))
                .isEmpty();
        write(uploaded, "/lane-0/g", FIRST);
        uploaded.tableLost();
        assertThat(judge(uploaded, "/lane-0/g", file(SECOND))).contains(Kind.RETURNED);
    }

    @Test
    void anOverwriteThatIsGoneWithBufferAndTableMayLeaveWhatItReplaced() {
        write(synced, FILE, FIRST);
        synced.flushed(synced.acknowledged());
        write(synced, FILE, SECOND);
        synced.bufferLost();
        assertThat(judge(synced, FILE, file(FIRST))).contains(Kind.RETURNED);
        synced.tableLost();
        assertThat(judge(synced, FILE, file(FIRST))).isEmpty();
        assertThat(judge(synced, FILE, Observation.ABSENT)).contains(Kind.LOST);
    }

    @Test
    void aTableThatIsGoneMayTakeNothingThatWasCheckpointed() {
        write(synced, FILE, FIRST);
        synced.done(synced.delete(FILE));
        synced.checkpointed(synced.beforeCheckpoint());
        synced.tableLost();
        assertThat(judge(synced, FILE, file(FIRST))).contains(Kind.RETURNED);
    }

    @Test
    void aTableThatIsGoneMayUndoWhatWasNotCheckpointed() {
        Model tail = new Model(false, true);
        write(tail, FILE, FIRST);
        tail.done(tail.delete(FILE));
        assertThat(tail.isTouchable(FILE))
                .as("a path is changed once between two checkpoints")
                .isFalse();
        tail.tableLost();
        assertThat(judge(tail, FILE, file(FIRST))).isEmpty();
        assertThat(tail.settle(Map.of(FILE, file(FIRST)))).isEmpty();
        assertThat(judge(tail, FILE, Observation.ABSENT)).contains(Kind.LOST);
    }

    @Test
    void aMoveWithoutAnAnswerLeavesTheFileAtOneOfTheTwoPaths() {
        String to = "/lane-0/g";
        write(synced, FILE, FIRST);
        synced.unknown(synced.rename(FILE, to));
        assertThat(synced.settle(Map.of(FILE, file(FIRST), to, file(FIRST))))
                .extracting(Violation::kind)
                .containsExactly(Kind.RETURNED);
        Model other = new Model(false, false);
        write(other, FILE, FIRST);
        other.unknown(other.rename(FILE, to));
        assertThat(other.settle(Map.of(FILE, Observation.ABSENT, to, Observation.ABSENT)))
                .extracting(Violation::kind)
                .containsExactly(Kind.LOST);
    }

    @Test
    void ofARaceOneMayWinAndItsBytesMustBeThere() {
        ModelOperation first = synced.create(FILE, FIRST, 0644);
        ModelOperation second = synced.create(FILE, SECOND, 0644);
        synced.race(FILE, List.of(first, second), List.of(second), List.of());
        assertThat(judge(synced, FILE, file(SECOND))).isEmpty();
        assertThat(judge(synced, FILE, file(FIRST))).contains(Kind.RETURNED);
    }

    @Test
    void aReaderIsJudgedByWhatWasPossibleWhileItRead() {
        write(synced, FILE, FIRST);
        int moment = synced.moment(FILE);
        ModelOperation overwrite = synced.create(FILE, SECOND, 0644);
        synced.done(overwrite);
        assertThat(synced.observe(FILE, moment, file(FIRST))).isEmpty();
        assertThat(synced.observe(FILE, synced.moment(FILE), file(FIRST))).isPresent();
    }

    @Test
    void whatIsWrongIsToldAgainWhenItIsSeenAgain() {
        write(synced, FILE, FIRST);
        Map<String, Observation> sights = new HashMap<>();
        sights.put(FILE, Observation.ABSENT);
        assertThat(synced.settle(sights)).hasSize(1);
        assertThat(synced.settle(sights)).hasSize(1);
    }
}
