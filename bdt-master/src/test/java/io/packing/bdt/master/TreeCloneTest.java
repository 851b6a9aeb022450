// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A clone of a tree looks like its source and costs a few rows; what changes in one of them does not change in the other. */
class TreeCloneTest extends MountFixture {
    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private void cloneTree(String source, String destination) throws IOException {
        apply(new Operation.CloneDirectory(new FilePath(source), new FilePath(destination)));
    }

    private void delete(String path) throws IOException {
        assertThat(table.delete(new FilePath(path), true)).isEqualTo(Outcome.DONE);
    }

    private FileVersion version(String path) throws IOException {
        return table.stat(new FilePath(path)).orElseThrow().version();
    }

    /** Claims a file that is not empty, which each third one is. */
    private void claimWithBytes(String path) throws IOException {
        while (!tryClaim(path) || version(path).id() % 3 == 0) {
            delete(path);
        }
    }

    /** Returns the relative paths below a directory. */
    private Set<String> below(String directory) throws IOException {
        Map<String, FileStatus> found = new TreeMap<>();
        list(new FilePath(directory), found);
        return found.keySet().stream()
                .map(path -> path.substring(directory.length()))
                .collect(Collectors.toSet());
    }

    private void upload() throws IOException {
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
    }

    private void upkeep() throws IOException {
        for (int idle = 0; idle < 100; ) {
            idle = master.openMount(TestStores.MOUNT).upkeep().step() ? 0 : idle + 1;
        }
        awaitStatistics();
    }

    @Test
    void sourceAndCloneChangeWithoutEachOther() throws IOException {
        claim("/d/e/f");
        claim("/d/g");
        push(true);
        cloneTree("/d", "/c");
        assertThat(below("/c")).containsExactlyInAnyOrder("/e", "/e/f", "/g");
        assertThat(version("/c/e/f")).isEqualTo(version("/d/e/f"));

        claim("/d/e/later");
        delete("/d/g");
        claim("/c/e/own");
        delete("/c/e/f");
        assertThat(below("/d")).containsExactlyInAnyOrder("/e", "/e/f", "/e/later");
        assertThat(below("/c")).containsExactlyInAnyOrder("/e", "/e/own", "/g");

        FilePath moved = new FilePath("/c/moved");
        assertThat(table.rename(new FilePath("/c/e"), moved)).isEqualTo(Outcome.DONE);
        assertThat(below("/c")).containsExactlyInAnyOrder("/g", "/moved", "/moved/own");
        assertThat(table.setAttributes(
                        new FilePath("/c/g"),
                        new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(0600))))
                .isEqualTo(Outcome.DONE);
        assertThat(table.stat(new FilePath("/c/g")).orElseThrow().attributes().mode())
                .isEqualTo(0600);
        assertThat(table.delete(moved, false)).isEqualTo(Outcome.NOT_EMPTY);
    }

    @Test
    void aCloneStaysWhenItsSourceIsDeletedAndTheMasterLosesItsDisk() throws IOException {
        claimWithBytes("/d/e/f");
        push(true);
        cloneTree("/d", "/c");
        delete("/d");
        upkeep();
        upload();
        for (int i = 0; i < 2; i++) {
            assertThat(below("/")).containsExactlyInAnyOrder("c", "c/e", "c/e/f");
            assertThat(isPacked(table.locate(new FilePath("/c/e/f")).orElseThrow()))
                    .isTrue();
            assertThat(table.statistics().deadBytes())
                    .isLessThan(table.statistics().blobBytes());
            loseMaster();
        }
        delete("/c");
        upkeep();
        assertThat(table.statistics().deadBytes()).isEqualTo(table.statistics().blobBytes());
    }

    @Test
    void aVersionOfARemovedTreeIsLocatedWhileACloneOrSnapshotShowsIt() throws IOException {
        claimWithBytes("/d/e/cloned");
        claimWithBytes("/r/t/u/kept");
        claim("/d/gone");
        push(true);
        FileVersion cloned = version("/d/e/cloned");
        FileVersion kept = version("/r/t/u/kept");
        FileVersion gone = version("/d/gone");
        cloneTree("/d/e", "/c");
        apply(new Operation.TakeSnapshot(new FilePath("/r"), "s"));
        claim("/r/t/u/after");
        FileVersion after = version("/r/t/u/after");
        claim("/c/e/later");
        FileVersion later = version("/c/e/later");

        delete("/d");
        delete("/c/e");
        delete("/r/t");
        // Upkeep has not removed the trees yet, and then has.
        for (int i = 0; i < 2; i++) {
            assertThat(table.locateForUsers(cloned)).as("cloned %d", i).isPresent();
            assertThat(table.locateForUsers(kept)).as("kept %d", i).isPresent();
            assertThat(table.locateForUsers(gone)).as("gone %d", i).isEmpty();
            assertThat(table.locateForUsers(later)).as("later %d", i).isEmpty();
            assertThat(table.locateForUsers(after)).as("after %d", i).isEmpty();
            upkeep();
        }
        delete("/c");
        upkeep();
        assertThat(table.locateForUsers(cloned)).isEmpty();
    }

    private static boolean isPacked(LocatedFile file) {
        return file.placement() instanceof Placement.Mapped mapped
                ? mapped.pieces().stream().allMatch(piece -> isPacked(piece.content()))
                : file.placement() instanceof Placement.Packed;
    }

    @Test
    void nothingIsLeftOfACloneThatIsDeleted() throws IOException {
        claim("/d/e/f");
        claim("/d/g");
        push(true);
        cloneTree("/d", "/c");
        cloneTree("/c/e", "/of-the-clone");
        delete("/c/g");
        claim("/c/e/own");
        delete("/c");
        assertThat(below("/of-the-clone")).containsExactly("/f");
        upkeep();
        assertThat(rowsOf((byte) 'g')).isZero();
        assertThat(rowsOf((byte) 's'))
                .as("the snapshot that the other clone needs")
                .isEqualTo(1);
        delete("/of-the-clone");
        upkeep();
        for (char kind : new char[] {'s', 'u', 'v', 'l', 'k', 'g', 'x'}) {
            assertThat(rowsOf((byte) kind)).as("rows " + kind).isZero();
        }
        assertThat(below("/d")).containsExactlyInAnyOrder("/e", "/e/f", "/g");
    }

    @Test
    void aSnapshotThatWasClonedMayBeDropped() throws IOException {
        claim("/d/e/f");
        push(true);
        apply(new Operation.TakeSnapshot(new FilePath("/d"), "s"));
        delete("/d/e/f");
        cloneTree("/d/.snapshot/s/e", "/restored");
        apply(new Operation.DropSnapshot(new FilePath("/d"), "s"));
        upkeep();
        assertThat(below("/restored")).containsExactly("/f");
        assertThat(table.list(new FilePath("/d/.snapshot"), "", 10).orElseThrow())
                .isEmpty();
        // No client can name it, so it keeps no client from deleting the directory.
        delete("/d");
        delete("/restored");
        upkeep();
        assertThat(rowsOf((byte) 's')).isZero();
    }

    @Test
    void aSnapshotOfACloneSeesWhatTheCloneHadThen() throws IOException {
        claim("/d/e/f");
        claim("/d/e/g");
        push(true);
        cloneTree("/d", "/c");
        apply(new Operation.TakeSnapshot(new FilePath("/c"), "s"));
        delete("/c/e/f");
        claim("/c/e/own");
        delete("/d");
        apply(new Operation.TakeSnapshot(new FilePath("/c"), "later"));
        delete("/c/e");
        upkeep();
        assertThat(below("/c/.snapshot/s")).containsExactlyInAnyOrder("/e", "/e/f", "/e/g");
        assertThat(below("/c/.snapshot/later")).containsExactlyInAnyOrder("/e", "/e/g", "/e/own");
        assertThat(below("/c")).isEmpty();
        upload();
        loseMaster();
        assertThat(below("/c/.snapshot/s")).containsExactlyInAnyOrder("/e", "/e/f", "/e/g");
        assertThat(below("/c/.snapshot/later")).contains("/e", "/e/g");
        assertThat(table.stat(new FilePath("/c/e"))).isEmpty();
    }

    @Test
    void aCloneOfManyFilesWritesAsManyRowsAsThatOfOne() throws IOException {
        claim("/small/f");
        for (int i = 0; i < 300; i++) {
            claim("/large/e/f" + i);
        }
        push(true);
        long small = rowsOfAClone("/small", "/small-clone");
        assertThat(rowsOfAClone("/large", "/large-clone")).isEqualTo(small).isLessThan(10);
        List<FileStatus> page =
                table.list(new FilePath("/large-clone/e"), "f150", 20).orElseThrow();
        assertThat(page).hasSize(20);
        assertThat(page.get(0).path().name()).isEqualTo("f151");
    }

    private long rowsOfAClone(String source, String destination) throws IOException {
        long before = rows();
        cloneTree(source, destination);
        return rows() - before;
    }

    private long rows() throws IOException {
        long rows = 0;
        for (char kind = 'a'; kind < 'z'; kind++) {
            // Answers to requests go in a ring of fixed size.
            rows += kind == 'q' ? 0 : rowsOf((byte) kind);
        }
        return rows;
    }

    @Test
    void aListingOfACloneHasEachNameOnceInOrder() throws IOException {
        for (String name : List.of("a", "c", "e", "g")) {
            claim("/d/" + name);
        }
        cloneTree("/d", "/c");
        delete("/c/c");
        for (String name : List.of("b", "e", "h")) {
            claim("/c/" + name);
        }
        for (int limit = 1; limit < 8; limit++) {
            StringBuilder names = new StringBuilder();
            String after = "";
            for (List<FileStatus> page =
                            table.list(new FilePath("/c"), after, limit).orElseThrow();
                    !page.isEmpty();
                    page = table.list(new FilePath("/c"), after, limit).orElseThrow()) {
                for (FileStatus each : page) {
                    after = each.path().name();
                    names.append(after);
                }
            }
            assertThat(names).as("pages of " + limit).hasToString("abegh");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/d, /d/e/d, INVALID",
        "/, /root, INVALID",
        "/d/.snapshot, /list, INVALID",
        "/d/e/f, /file, NOT_A_DIRECTORY",
        "/nowhere, /c, NOT_FOUND",
        "/d/.snapshot/none, /c, NOT_FOUND",
        "/d, /x/y, NO_PARENT",
        "/d, /d/e/f/g, INVALID",
        "/d, /o/f, EXISTS",
        "/d, /o, EXISTS",
    })
    void whatCannotBeClonedIsRefused(String source, String destination, Outcome reason) throws IOException {
        claim("/d/e/f");
        claim("/o/f");
        assertThat(table.apply(OperationVector.of(
                        new Operation.CloneDirectory(new FilePath(source), new FilePath(destination)))))
                .isEqualTo(new VectorResult.Refused(VectorResult.Kind.OPERATION, 0, reason));
        assertThat(rowsOf((byte) 's')).isZero();
    }

    @Test
    void nothingIsClonedIntoASnapshot() throws IOException {
        claim("/d/e/f");
        apply(new Operation.TakeSnapshot(new FilePath("/d"), "s"));
        assertThatThrownBy(() -> cloneTree("/d/e", "/d/.snapshot/s/x"))
                .hasMessageContaining("a snapshot is never changed");
    }

    /** Only clones take snapshots without a name: no client could ever drop one. */
    @Test
    void aSnapshotThatSomebodyTakesHasAName() {
        FilePath directory = new FilePath("/d");
        assertThatThrownBy(() -> new Operation.TakeSnapshot(directory, ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Operation.RenameSnapshot(directory, "s", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Operation.DropSnapshot(directory, ""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void clonesOfClonesGoOnUntilAClearLimit() throws IOException {
        claim("/c0/e/f");
        for (int i = 1; i <= 64; i++) {
            cloneTree("/c" + (i - 1), "/c" + i);
        }
        assertThat(version("/c64/e/f")).isEqualTo(version("/c0/e/f"));
        assertThatThrownBy(() -> cloneTree("/c64", "/c65")).hasMessageContaining("/c64 is a clone of a clone, 64 deep");
        assertThat(table.stat(new FilePath("/c65"))).isEmpty();
        for (int i = 0; i <= 64; i++) {
            delete("/c" + i);
        }
        upkeep();
        assertThat(rowsOf((byte) 's')).isZero();
        assertThat(rowsOf((byte) 'u')).isZero();
    }

    /** A directory in a clone that gets entries of its own has one link more than the directory that it shows. */
    @Test
    void aDeepCloneInsideOfAnotherOneGetsEntriesOfItsOwn() throws IOException {
        claim("/c0/f");
        for (int i = 1; i < 64; i++) {
            cloneTree("/c" + (i - 1), "/c" + i);
        }
        claim("/p0/g");
        cloneTree("/c63", "/p0/deep");
        for (int i = 1; i <= 3; i++) {
            cloneTree("/p" + (i - 1), "/p" + i);
            claim("/p" + i + "/deep/own" + i);
        }
        crashMaster();
        assertThat(version("/p3/deep/f")).isEqualTo(version("/c0/f"));
        assertThat(version("/p3/deep/own1")).isEqualTo(version("/p1/deep/own1"));
        assertThat(table.list(new FilePath("/p3/deep"), "", 10).orElseThrow()).hasSize(4);
        assertThatThrownBy(() -> cloneTree("/p3/deep", "/c")).hasMessageContaining("deep, and that is the most");
    }
}
