// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.tree.Difference;
import io.packing.bdt.tree.TreeDiff;
import io.packing.bdt.tree.TreeRestore;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Extended attributes: they stay with their file, and snapshots and clones keep their old values. */
class ExtendedAttributesTest extends LostFilesFixture {
    private static final FilePath A = new FilePath("/d/a");
    private static final FilePath B = new FilePath("/d/b");
    private static final FilePath D = new FilePath("/d");

    private static ExtendedValue value(String text) {
        return new ExtendedValue(text.getBytes(StandardCharsets.UTF_8));
    }

    private static AttributeChange put(String name, String value) {
        return AttributeChange.ofExtended(ExtendedChange.put(name, value(value)));
    }

    private void set(FilePath path, String name, String value) throws IOException {
        assertThat(table.setAttributes(path, put(name, value))).isEqualTo(Outcome.DONE);
    }

    private Map<String, ExtendedValue> of(FilePath path) throws IOException {
        boolean told = table.stat(path).orElseThrow().extras().hasExtended();
        Map<String, ExtendedValue> all = table.extended(path).orElseThrow();
        assertThat(told).isEqualTo(!all.isEmpty());
        return all;
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private FilePath past(String name) {
        return D.child(".snapshot").child("s").child(name);
    }

    @Test
    void theyStayThroughCommitRenameAndChangesOfBytes() throws IOException {
        claim("/d/x");
        claim("/d/a");
        set(A, "user.a", "1");
        push(true);
        assertThat(table.rename(A, B)).isEqualTo(Outcome.DONE);
        apply(new Operation.Truncate(B, 3));
        apply(new Operation.CloneRange(new ByteRange(B, 0, 2), B, 5));
        assertThat(of(B)).isEqualTo(Map.of("user.a", value("1")));
        assertThat(table.setAttributes(B, AttributeChange.ofMtime(5))).isEqualTo(Outcome.DONE);
        assertThat(of(B)).isEqualTo(Map.of("user.a", value("1")));
        crashMaster();
        assertThat(of(B)).isEqualTo(Map.of("user.a", value("1")));
    }

    @Test
    void aFileThatTakesThePlaceOfAnotherHasItsOwn() throws IOException {
        claim("/d/a");
        set(A, "user.a", "1");
        claim("/d/a");
        assertThat(of(A)).isEmpty();
    }

    @Test
    void aRefusedStepChangesNothing() throws IOException {
        claim("/d/a");
        set(A, "user.a", "1");
        AttributeChange create = AttributeChange.ofExtended(
                ExtendedChange.put("user.b", value("2")),
                new ExtendedChange(ExtendedChange.Kind.CREATE, "user.a", value("2")));
        assertThat(table.setAttributes(A, create)).isEqualTo(Outcome.EXISTS);
        AttributeChange remove = AttributeChange.ofExtended(ExtendedChange.of(ExtendedChange.Kind.REMOVE, "user.b"));
        assertThat(table.setAttributes(A, remove)).isEqualTo(Outcome.NO_ATTRIBUTE);
        assertThat(of(A)).isEqualTo(Map.of("user.a", value("1")));
        assertThat(table.extended(B)).isEmpty();
    }

    @Test
    void snapshotsAndClonesShowWhatTheyShould() throws IOException {
        claim("/d/a");
        set(A, "user.a", "1");
        set(D, "user.d", "1");
        apply(new Operation.TakeSnapshot(D, "s"));
        apply(new Operation.CloneDirectory(D, new FilePath("/c")));
        set(A, "user.a", "2");
        set(D, "user.d", "2");
        apply(new Operation.CloneFile(past("a"), B, false, put("user.b", "3")));
        assertThat(of(past("a"))).isEqualTo(Map.of("user.a", value("1")));
        assertThat(of(A)).isEqualTo(Map.of("user.a", value("2")));
        assertThat(of(B)).isEqualTo(Map.of("user.a", value("1"), "user.b", value("3")));
        assertThat(of(new FilePath("/c"))).isEqualTo(Map.of("user.d", value("1")));
        set(new FilePath("/c/a"), "user.c", "4");
        assertThat(of(new FilePath("/c/a"))).isEqualTo(Map.of("user.a", value("1"), "user.c", value("4")));
        assertThat(of(past("a"))).isEqualTo(Map.of("user.a", value("1")));
    }

    @Test
    void aDiffFindsThemAndARestoreUndoesThem() throws IOException {
        claim("/d/a");
        claim("/d/b");
        set(A, "user.a", "1");
        apply(new Operation.TakeSnapshot(D, "s"));
        set(A, "user.a", "2");
        set(B, "security.capability", "3");
        FilePath before = D.child(".snapshot").child("s");
        assertThat(TreeDiff.between(table, before, D))
                .containsExactly(
                        new Difference(Difference.Kind.MODIFIED, new FilePath("/a"), Optional.empty()),
                        new Difference(Difference.Kind.MODIFIED, new FilePath("/b"), Optional.empty()));
        assertThat(TreeRestore.restore(table, before, D)).isEqualTo(2);
        assertThat(of(A)).isEqualTo(Map.of("user.a", value("1")));
        assertThat(of(B)).isEmpty();
        assertThat(TreeDiff.between(table, before, D)).isEmpty();
        delete("/d/a");
        int unused = TreeRestore.restore(table, before, D);
        assertThat(of(A)).isEqualTo(Map.of("user.a", value("1")));
    }

    @Test
    void aRebuildFromTheStoreHasThem() throws IOException {
        claim("/d/x");
        claim("/d/a");
        claim("/d/b");
        push(true);
        set(A, "user.a", "1");
        set(D, "user.d", "1");
        apply(new Operation.CloneFile(A, new FilePath("/d/c"), false, put("user.c", "2")));
        apply(new Operation.TakeSnapshot(D, "s"));
        apply(new Operation.Truncate(A, 1));
        set(A, "user.a", "3");
        uploadJournal();
        loseMaster();
        assertThat(of(A)).isEqualTo(Map.of("user.a", value("3")));
        assertThat(of(B)).isEmpty();
        assertThat(of(D)).isEqualTo(Map.of("user.d", value("1")));
        assertThat(of(new FilePath("/d/c"))).isEqualTo(Map.of("user.a", value("1"), "user.c", value("2")));
        assertThat(of(past("a"))).isEqualTo(Map.of("user.a", value("1")));
    }

    @Test
    void aFileThatComesBackWithItsWorkerHasWhatWasGivenToItBeforeItWasLost() throws IOException {
        recoverOnce();
        session = register("w");
        Reclaim file = granted(session, "/d/a");
        set(A, "user.a", "1");
        assertThat(table.setAttributes(
                        A, new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(0600))))
                .isEqualTo(Outcome.DONE);
        apply(new Operation.TakeSnapshot(D, "s"));
        set(A, "user.a", "2");
        rename("/d/a", "/d/b");
        uploadJournal();
        loseMaster();
        session = register("w");
        assertThat(session.reclaim(List.of(file)).get(0)).isPresent();
        assertThat(of(B)).isEqualTo(Map.of("user.a", value("2")));
        assertThat(table.stat(B).orElseThrow().attributes().mode()).isEqualTo(0600);
        assertThat(of(past("a"))).isEqualTo(Map.of("user.a", value("1")));
    }

    @Test
    void timesAreKeptToTheNanosecond() throws IOException {
        claim("/d/a");
        Instant changed = Instant.ofEpochSecond(5, 123_456_789);
        AttributeChange times =
                AttributeChange.ofMtime(4_001).with(new RareAttributeChange(List.of(), 999_999, Optional.of(changed)));
        assertThat(table.setAttributes(A, times)).isEqualTo(Outcome.DONE);
        assertThat(table.stat(A).orElseThrow().extras())
                .isEqualTo(new RareAttributes(0, 999_999, Optional.of(changed)));
        crashMaster();
        assertThat(table.stat(A).orElseThrow().extras())
                .isEqualTo(new RareAttributes(0, 999_999, Optional.of(changed)));
        assertThat(table.setAttributes(
                        A,
                        new AttributeChange(
                                Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalLong.of(1))))
                .isEqualTo(Outcome.DONE);
        assertThat(table.stat(A).orElseThrow().extras()).isEqualTo(RareAttributes.NONE);
    }
}
