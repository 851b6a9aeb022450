// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.OwnNames;
import io.packing.bdt.master.table.read.Principal;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Branches that cannot be, and callers without the rights: an error that says why, and nothing changes. */
class BranchBadInputTest extends BranchFixture {
    @BeforeEach
    void tree() throws IOException {
        put("/tree/a", 1, 10);
        put("/tree/d/x", 3, 30);
    }

    private void refused(Class<? extends Throwable> type, String message, ThrowingCallable call) throws IOException {
        Map<String, String> before = tree(FilePath.ROOT);
        assertThatThrownBy(call).isInstanceOf(type).hasMessageContaining(message);
        assertThat(tree(FilePath.ROOT)).isEqualTo(before);
    }

    private ThrowingCallable creating(String origin) {
        return () -> BranchCreation.create(bdt, request(path(origin), 1));
    }

    @Test
    void noBranchOfARootAFileASnapshotOrNothing() throws IOException {
        apply(new Operation.TakeSnapshot(TREE, "s"));
        refused(IllegalArgumentException.class, "the root cannot be branched", creating("/"));
        refused(IllegalArgumentException.class, "branch the directory itself", creating("/tree/.snapshot/s"));
        refused(NotDirectoryException.class, "branches are of directories", creating("/tree/a"));
        refused(FileNotFoundException.class, "no such directory", creating("/nothing"));
    }

    @Test
    void noBranchInTheTreeItself() throws IOException {
        BranchCreation.Request inside =
                new BranchCreation.Request(TREE, Optional.of(path("/tree/d")), Optional.empty(), 1, DIRECTORY);
        refused(IllegalArgumentException.class, "cannot be in it", () -> BranchCreation.create(bdt, inside));
    }

    @Test
    void aNameThatExistsIsRefused() throws IOException {
        BranchCreation.Request named =
                new BranchCreation.Request(TREE, Optional.empty(), Optional.of("fix"), 1, DIRECTORY);
        BranchCreation.Created first = BranchCreation.create(bdt, named);
        refused(FileAlreadyExistsException.class, "another name", () -> BranchCreation.create(bdt, named));
        rename("/tree.branches/fix", "/tree.branches/old");
        refused(FileAlreadyExistsException.class, "of branches that were at", () -> BranchCreation.create(bdt, named));
        assertThat(bdt.stat(first.set().base())).isPresent();
    }

    @Test
    void theCountHasLimits() {
        assertThatThrownBy(() -> request(TREE, 0)).hasMessageContaining("from 1 to");
        assertThatThrownBy(() -> request(TREE, BranchCreation.MOST + 1)).hasMessageContaining("from 1 to");
    }

    @Test
    void aPlainDirectoryIsNoBranch() throws IOException {
        refused(IllegalArgumentException.class, "is no branch", () -> open(TREE));
        refused(IllegalArgumentException.class, "is no branch", () -> open(path("/tree/d")));
        refused(FileNotFoundException.class, "no such branch", () -> open(path("/tree.branches/1/1")));
        refused(IllegalArgumentException.class, "is no branch", () -> BranchDrop.drop(bdt, TREE, Optional.empty()));
    }

    /** A directory that was put beside the branches is no clone of their base. */
    @Test
    void aDirectoryAmongBranchesIsNoBranch() throws IOException {
        BranchSet set = create(1).set();
        Outcome unused = bdt.mkdir(set.path().child("mine"), DIRECTORY, false);
        apply(new Operation.CloneDirectory(TREE, set.path().child("later")));
        for (String name : List.of("mine", "later")) {
            Branch odd = open(set.path().child(name));
            refused(IllegalArgumentException.class, "no clone of", () -> merge(odd));
            refused(IllegalArgumentException.class, "no clone of", () -> ofBranch(odd));
        }
    }

    @Test
    void aRenamedOriginIsFoundByItsNewPath() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/a", 9, 90);
        rename("/tree", "/forest");
        refused(FileNotFoundException.class, "--origin", () -> open(branch.path()));
        Branch found = Branch.open(bdt, branch.path(), Optional.of(path("/forest")));
        assertThat(merge(found)).isEqualTo(new BranchMerge.Result.Merged(1, 1));
        assertThat(tree(path("/forest"))).containsEntry("/a", "f 644 9 90");
        assertThat(BranchDrop.drop(bdt, branch.path(), Optional.of(path("/forest"))))
                .isEqualTo(new BranchDrop.Dropped(1, true));
    }

    @Test
    void anotherDirectoryInThePlaceOfTheOriginIsNotMergedInto() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/a", 9, 90);
        rename("/tree", "/forest");
        put("/tree/a", 1, 10);
        refused(FileNotFoundException.class, "--origin", () -> open(branch.path()));
        apply(new Operation.TakeSnapshot(TREE, branch.set().snapshot()));
        Branch forged = open(branch.path());
        refused(IllegalArgumentException.class, "no clone of", () -> merge(forged));
    }

    @Test
    void aBranchOfADeletedOriginIsReadAndDropped() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/b", 2, 20);
        refused(IllegalArgumentException.class, "drop it first", () -> bdt.delete(TREE, true));
        apply(new Operation.DropSnapshot(TREE, branch.set().snapshot()));
        delete("/tree");
        refused(FileNotFoundException.class, "--origin", () -> open(branch.path()));
        assertThat(tree(branch.path())).containsOnlyKeys("/a", "/b", "/d", "/d/x");
        assertThat(BranchDrop.drop(bdt, branch.path(), Optional.empty())).isEqualTo(new BranchDrop.Dropped(1, false));
        assertThat(bdt.stat(branch.set().path())).isEmpty();
    }

    @Test
    void aBranchWithBranchesIsNotDroppedBeforeThem() throws IOException {
        Branch outer = branch();
        BranchCreation.Created inner = BranchCreation.create(bdt, request(outer.path(), 1));
        assertThat(inner.branches()).containsExactly(path("/tree.branches/1-1.branches/1/1"));
        refused(
                IllegalArgumentException.class,
                "drop it first",
                () -> BranchDrop.drop(bdt, outer.path(), Optional.empty()));
        assertThat(BranchDrop.drop(bdt, inner.branches().get(0), Optional.empty())
                        .isBaseDropped())
                .isTrue();
        assertThat(BranchDrop.drop(bdt, outer.path(), Optional.empty()).isBaseDropped())
                .isTrue();
    }

    @Test
    void aDeletedBaseIsToldOf() throws IOException {
        Branch branch = branch();
        apply(new Operation.DropSnapshot(TREE, branch.set().snapshot()));
        refused(FileNotFoundException.class, "the snapshot was deleted", () -> open(branch.path()));
    }

    @Test
    void tooMuchForAVectorSaysWhatToDo() throws IOException {
        Branch branch = branch();
        String name = "n".repeat(200);
        for (int i = 0; i < 40; i++) {
            List<Operation> files = new ArrayList<>();
            FilePath directory = branch.path().child(name + i);
            files.add(new Operation.MakeDirectory(directory, DIRECTORY, false));
            for (int j = 0; j < 300; j++) {
                files.add(new Operation.CreateFile(directory.child(name + j), AttributeChange.NONE, false));
            }
            apply(files.toArray(Operation[]::new));
        }
        refused(IllegalArgumentException.class, "--path DIRECTORY", () -> merge(branch));
        assertThat(BranchMerge.merge(bdt, branch, path("/" + name + "7")))
                .isInstanceOf(BranchMerge.Result.Merged.class);
        assertThat(tree(TREE)).hasSize(3 + 301);
    }

    private Bdt as(String user) throws IOException {
        return master.openAs(new Principal(user, Set.of("staff"), false), options());
    }

    private void give(String path, String owner, int mode) throws IOException {
        AttributeChange change = new AttributeChange(Optional.of(owner), Optional.of("staff"), OptionalInt.of(mode));
        assertThat(bdt.setAttributes(path(path), change)).isEqualTo(Outcome.DONE);
    }

    /** The base is a snapshot, which only the owner takes. */
    @Test
    void onlyTheOwnerOfADirectoryBranchesIt() throws IOException {
        give("/tree", "alice", 0755);
        give("/", "root", 0777);
        refused(DeniedException.class, "not the owner", () -> BranchCreation.create(as("bob"), request(TREE, 1)));
        assertThat(BranchCreation.create(as("alice"), request(TREE, 1)).branches())
                .hasSize(1);
    }

    @Test
    void aMergeNeedsTheRightsOfItsChanges() throws IOException {
        give("/", "root", 0777);
        give("/tree", "alice", 0755);
        FilePath made = BranchCreation.create(
                        as("alice"),
                        new BranchCreation.Request(
                                TREE, Optional.empty(), Optional.empty(), 1, new DirectoryAttributes("", "", 0777)))
                .branches()
                .get(0);
        put(made + "/a", 9, 90);
        Branch branch = open(made);
        refused(DeniedException.class, "bob", () -> BranchMerge.merge(as("bob"), branch, FilePath.ROOT));
        refused(DeniedException.class, "bob", () -> BranchDrop.drop(as("bob"), made, Optional.empty()));
    }

    @Test
    void ownNamesAreNotToldOfADirectoryThatTheCallerMayNotList() throws IOException {
        give("/", "root", 0777);
        Branch branch = branch();
        put(branch.path() + "/d/secret", 1, 1);
        give(branch.path() + "/d", "alice", 0700);
        FilePath base = branch.set().base();
        assertThatThrownBy(() -> as("bob").ownNames(branch.path(), base, FilePath.ROOT, 10))
                .isInstanceOf(DeniedException.class);
        OwnNames all = as("alice").ownNames(branch.path(), base, FilePath.ROOT, 10);
        assertThat(all.names()).extracting(each -> each.path().value()).containsExactly("/d", "/d/secret");
    }

    /** The attribute of a set is its owner's: it may name a base that another set made. */
    @Test
    void aForgedSetTakesNoBaseOfAnotherOneAway() throws IOException {
        BranchSet real = create(1).set();
        FilePath forged = path("/forged");
        Outcome unused = bdt.mkdir(forged, DIRECTORY, false);
        BranchSet named = new BranchSet(forged, TREE, real.snapshot());
        apply(
                new Operation.SetAttributes(
                        forged, AttributeChange.ofExtended(ExtendedChange.put(BranchSet.ATTRIBUTE, named.encode()))),
                new Operation.CloneDirectory(real.base(), forged.child("1")));
        assertThat(BranchDrop.drop(bdt, forged.child("1"), Optional.empty()))
                .isEqualTo(new BranchDrop.Dropped(1, false));
        assertThat(bdt.stat(real.base())).isPresent();
    }

    @Test
    void pagesOfOwnNamesGoOnWhereTheyEnded() throws IOException {
        for (int i = 0; i < 5; i++) {
            put("/tree/p%d/q/f".formatted(i), 1, 1);
        }
        Branch branch = branch();
        for (int i = 0; i < 5; i++) {
            put(branch.path() + "/p%d/q/f".formatted(i), 2, 2);
            put(branch.path() + "/p%d/q/g".formatted(i), 2, 2);
        }
        delete(branch.path() + "/a");
        chmod(branch.path() + "/p3", 0700);
        FilePath base = branch.set().base();
        List<FilePath> whole = names(branch, base, 1_000);
        // Directories on the way to a change are no change.
        assertThat(whole).hasSize(1 + 1 + 5 * 2).doesNotHaveDuplicates().contains(path("/p3"));
        for (int limit = 1; limit < 8; limit++) {
            assertThat(names(branch, base, limit)).isEqualTo(whole);
        }
    }

    private List<FilePath> names(Branch branch, FilePath base, int limit) throws IOException {
        List<FilePath> all = new ArrayList<>();
        Optional<FilePath> next = Optional.of(FilePath.ROOT);
        while (next.isPresent()) {
            OwnNames page = bdt.ownNames(branch.path(), base, next.get(), limit);
            assertThat(page.names().size()).isLessThanOrEqualTo(limit);
            page.names().forEach(each -> all.add(each.path()));
            next = page.next();
        }
        return all;
    }
}
