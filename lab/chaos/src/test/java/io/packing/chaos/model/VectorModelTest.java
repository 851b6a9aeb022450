// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.model.Violation.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A test that vectors are seen whole or not at all, and that snapshots do not change. */
class VectorModelTest {
    private static final String ROOT = "/lane-0";
    private static final SeededContent FIRST = new SeededContent(1, 100);
    private static final SeededContent SECOND = new SeededContent(2, 200);
    private static final List<Part> PARTS = List.of(
            new Part(Part.Kind.RENAME, ROOT + "/a", ROOT + "/moved"),
            new Part(Part.Kind.DELETE, ROOT + "/b", ""),
            new Part(Part.Kind.CLONE, ROOT + "/c", ROOT + "/clone"));

    private final Model model = new Model(false, false);

    private void write(String name, SeededContent content) {
        model.done(model.create(ROOT + name, content, 0644));
    }

    private void writeAll() {
        for (String name : List.of("/a", "/b", "/c")) {
            write(name, FIRST);
        }
    }

    private static Observation file(SeededContent content) {
        return Observation.file(content, Optional.of(0644));
    }

    private Optional<Kind> judge(String name, Observation sight) {
        return model.observe(ROOT + name, model.moment(ROOT + name), sight).map(Violation::kind);
    }

    private static Map<String, Observation> sights(Observation a, Observation moved, Observation b, Observation clone) {
        return new HashMap<>(Map.of(
                ROOT + "/a", a,
                ROOT + "/moved", moved,
                ROOT + "/b", b,
                ROOT + "/c", file(FIRST),
                ROOT + "/clone", clone));
    }

    @Test
    void anAnsweredVectorIsThereWhole() {
        writeAll();
        model.done(model.vector(PARTS));
        assertThat(model.settle(sights(Observation.ABSENT, file(FIRST), Observation.ABSENT, file(FIRST))))
                .isEmpty();
        assertThat(judge("/a", file(FIRST))).contains(Kind.RETURNED);
        assertThat(judge("/b", file(FIRST))).contains(Kind.RETURNED);
        assertThat(judge("/moved", Observation.ABSENT)).contains(Kind.LOST);
        assertThat(judge("/clone", Observation.ABSENT)).contains(Kind.LOST);
    }

    @Test
    void aVectorWithoutAnAnswerIsThereWholeOrNotAtAll() {
        writeAll();
        model.unknown(model.vector(PARTS));
        assertThat(model.isTouchable(ROOT + "/c")).as("what it clones").isFalse();
        assertThat(model.settle(sights(file(FIRST), Observation.ABSENT, file(FIRST), Observation.ABSENT)))
                .isEmpty();
        model.unknown(model.vector(PARTS));
        assertThat(model.settle(sights(Observation.ABSENT, file(FIRST), Observation.ABSENT, file(FIRST))))
                .isEmpty();
        assertThat(judge("/a", file(FIRST))).contains(Kind.RETURNED);
    }

    @Test
    void halfAVectorIsWrong() {
        writeAll();
        model.unknown(model.vector(PARTS));
        assertThat(model.settle(sights(Observation.ABSENT, file(FIRST), file(FIRST), file(FIRST))))
                .extracting(Violation::kind)
                .containsExactly(Kind.WRONG);
    }

    @Test
    void theLossOfTheTableUndoesAVectorWholeOrNotAtAll() {
        writeAll();
        model.done(model.vector(PARTS));
        model.flushed(model.acknowledged());
        model.tableLost();
        assertThat(model.settle(sights(Observation.ABSENT, file(FIRST), file(FIRST), Observation.ABSENT)))
                .extracting(Violation::kind)
                .containsExactly(Kind.WRONG);
    }

    @Test
    void aSnapshotStaysWhatItWas() {
        writeAll();
        model.done(model.takeSnapshot(ROOT, "s"));
        write("/a", SECOND);
        model.done(model.delete(ROOT + "/b"));
        assertThat(judge("/.snapshot/s/a", file(FIRST))).isEmpty();
        assertThat(judge("/.snapshot/s/a", file(SECOND))).contains(Kind.WRONG);
        assertThat(judge("/.snapshot/s/b", Observation.ABSENT)).contains(Kind.LOST);
        assertThat(judge("/.snapshot/s", Observation.DIRECTORY)).isEmpty();
        assertThat(model.certain(ROOT))
                .as("that may be changed")
                .containsOnlyKeys(ROOT + "/a", ROOT + "/c", ROOT + "/b");
        model.done(model.dropSnapshot(ROOT, "s"));
        assertThat(judge("/.snapshot/s/a", file(FIRST))).contains(Kind.RETURNED);
    }

    @Test
    void bytesThatOnlyABufferHadMayBeLostInEveryFileThatSharesThem() {
        writeAll();
        model.done(model.vector(PARTS));
        model.done(model.takeSnapshot(ROOT, "s"));
        model.bufferLost();
        for (String name : List.of("/c", "/clone", "/.snapshot/s/clone")) {
            assertThat(judge(name, Observation.lost("gone"))).as(name).isEmpty();
            assertThat(judge(name, Observation.ABSENT)).as(name).contains(Kind.LOST);
        }
    }
}
