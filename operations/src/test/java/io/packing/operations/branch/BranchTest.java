// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Branches of a directory: they are made, compared, merged and dropped. */
class BranchTest extends BranchFixture {
    @BeforeEach
    void tree() throws IOException {
        put("/tree/a", 1, 10);
        put("/tree/b", 2, 20);
        put("/tree/d/x", 3, 30);
        put("/tree/d/y", 4, 40);
        put("/tree/d/e/z", 5, 50);
    }

    @Test
    void branchesShowTheTreeAndChangeAlone() throws IOException {
        Map<String, String> before = tree(TREE);
        BranchCreation.Created made = create(12);
        assertThat(made.set().path()).isEqualTo(path("/tree.branches/1"));
        assertThat(made.branches()).hasSize(12).contains(path("/tree.branches/1/01"), path("/tree.branches/1/12"));
        assertThat(made.rowBytes()).isPositive();
        put("/tree.branches/1/03/a", 9, 90);
        assertThat(tree(TREE)).isEqualTo(before);
        assertThat(tree(path("/tree.branches/1/04"))).isEqualTo(before);
        assertThat(tree(path("/tree.branches/1/03"))).containsEntry("/a", "f 644 9 90");
    }

    @Test
    void setsAreNumberedAndNamed() throws IOException {
        assertThat(create(1).set().path()).isEqualTo(path("/tree.branches/1"));
        BranchCreation.Request named =
                new BranchCreation.Request(TREE, Optional.of(path("/elsewhere")), Optional.of("fix"), 2, DIRECTORY);
        assertThat(BranchCreation.create(bdt, named).branches())
                .containsExactly(path("/elsewhere/fix/1"), path("/elsewhere/fix/2"));
        assertThat(create(1).set().path()).isEqualTo(path("/tree.branches/2"));
    }

    @Test
    void branchesAreListed() throws IOException {
        FilePath first = create(2).set().path();
        create(1);
        assertThat(listed(TREE)).containsExactly("/tree.branches/1/1", "/tree.branches/1/2", "/tree.branches/2/1");
        assertThat(listed(path("/tree.branches"))).isEqualTo(listed(TREE));
        assertThat(listed(first)).containsExactly("/tree.branches/1/1", "/tree.branches/1/2");
    }

    private List<String> listed(FilePath at) throws IOException {
        List<String> all = new ArrayList<>();
        BranchList.visit(bdt, at, each -> all.add(each.path().value()));
        return all;
    }

    /** Seed 537304188 of {@link BranchModelTest}. Both have the same bytes, so that only attributes differ. */
    @Test
    void aNameThatTheBranchGaveAnotherFileIsMergedAlone() throws IOException {
        apply(new Operation.Link(path("/tree/a"), path("/tree/l")));
        Branch branch = branch();
        put(branch.path() + "/l", 1, 99);
        assertThat(merge(branch)).isInstanceOf(BranchMerge.Result.Merged.class);
        assertThat(tree(TREE)).containsEntry("/a", "f 644 1 10").containsEntry("/l", "f 644 1 99");
    }

    @Test
    void bothSidesAreCompared() throws IOException {
        Branch branch = branch();
        String at = branch.path().value();
        put(at + "/a", 9, 90);
        put(at + "/d/new", 1, 1);
        delete(at + "/d/e");
        rename(at + "/b", at + "/c");
        chmod("/tree/d", 0700);
        delete("/tree/d/y");
        put("/tree/d/new", 7, 7);
        put("/tree/d/e/more", 1, 1);
        assertThat(ofBranch(branch))
                .containsExactlyInAnyOrder("M /a", "- /b", "+ /c", "- /d/e", "- /d/e/z", "+ /d/new !");
        assertThat(ofOrigin(branch)).containsExactlyInAnyOrder("M /d", "- /d/y", "+ /d/new !", "+ /d/e/more !");
    }

    @Test
    void aBranchWithoutAChangeHasNone() throws IOException {
        Branch branch = branch();
        put("/tree/a", 9, 90);
        assertThat(ofBranch(branch)).isEmpty();
        assertThat(merge(branch)).isEqualTo(new BranchMerge.Result.Merged(0, 0));
    }

    @Test
    void aMergeGivesTheOriginAllChangesAndKeepsItsOwn() throws IOException {
        Branch branch = branch();
        String at = branch.path().value();
        put(at + "/a", 9, 90);
        delete(at + "/d/e");
        put(at + "/n/m/deep", 1, 1);
        rename(at + "/d/y", at + "/d/moved");
        chmod(at + "/d", 0711);
        apply(new Operation.SetAttributes(
                path(at + "/d"),
                AttributeChange.ofExtended(ExtendedChange.put("user.k", new ExtendedValue(new byte[1])))));
        put("/tree/b", 8, 80);
        assertThat(merge(branch)).isInstanceOf(BranchMerge.Result.Merged.class);
        Map<String, String> expected = tree(branch.path());
        expected.put("/b", "f 644 8 80");
        assertThat(tree(TREE)).isEqualTo(expected);
        assertThat(bdt.extended(path("/tree/d")).orElseThrow()).containsOnlyKeys("user.k");
    }

    @Test
    void aSecondMergeFindsNothingToDo() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/a", 9, 90);
        assertThat(merge(branch)).isEqualTo(new BranchMerge.Result.Merged(1, 1));
        assertThat(merge(branch)).isEqualTo(new BranchMerge.Result.Merged(0, 0));
        put(branch.path() + "/b", 9, 91);
        assertThat(merge(branch)).isEqualTo(new BranchMerge.Result.Merged(1, 1));
    }

    @Test
    void aFileBecomesADirectoryAndADirectoryAFile() throws IOException {
        Branch branch = branch();
        String at = branch.path().value();
        delete(at + "/a");
        put(at + "/a/inside", 1, 1);
        delete(at + "/d");
        put(at + "/d", 6, 60);
        assertThat(merge(branch)).isInstanceOf(BranchMerge.Result.Merged.class);
        assertThat(tree(TREE)).isEqualTo(tree(branch.path()));
    }

    @Test
    void conflictsChangeNothing() throws IOException {
        Branch branch = branch();
        String at = branch.path().value();
        put(at + "/a", 9, 90);
        put("/tree/a", 8, 80);
        delete(at + "/b");
        put("/tree/b", 8, 80);
        put(at + "/d/x", 9, 90);
        delete("/tree/d/x");
        put(at + "/both", 1, 1);
        put("/tree/both", 2, 2);
        put(at + "/fine", 1, 1);
        Map<String, String> before = tree(TREE);
        assertThat(conflicts(branch)).containsExactlyInAnyOrder("MM /a", "-M /b", "M- /d/x", "++ /both");
        assertThat(tree(TREE)).isEqualTo(before);
    }

    @Test
    void anEntryThatOnlyTheOriginHasKeepsItsDirectory() throws IOException {
        Branch branch = branch();
        delete(branch.path() + "/d");
        put("/tree/d/e/late", 1, 1);
        assertThat(conflicts(branch)).containsExactly("-+ /d/e/late");
    }

    @Test
    void aNewEntryNeedsItsDirectoryInTheOrigin() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/d/e/new", 1, 1);
        delete("/tree/d/e");
        assertThat(conflicts(branch)).containsExactly("+- /d/e/new");
    }

    @Test
    void equalChangesOfBothAreNoConflict() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/a", 9, 90);
        put("/tree/a", 9, 90);
        delete(branch.path() + "/b");
        delete("/tree/b");
        assertThat(merge(branch)).isEqualTo(new BranchMerge.Result.Merged(0, 0));
    }

    @Test
    void aPartIsMergedByItsPath() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/a", 9, 90);
        put(branch.path() + "/d/x", 9, 90);
        assertThat(BranchMerge.merge(bdt, branch, path("/d"))).isEqualTo(new BranchMerge.Result.Merged(1, 1));
        assertThat(tree(TREE)).containsEntry("/a", "f 644 1 10").containsEntry("/d/x", "f 644 9 90");
    }

    @Test
    void aBranchOfABranchIsMergedIntoTheBranch() throws IOException {
        Branch outer = branch();
        put(outer.path() + "/a", 9, 90);
        Branch inner = open(
                BranchCreation.create(bdt, request(outer.path(), 1)).branches().get(0));
        put(inner.path() + "/d/x", 9, 91);
        assertThat(ofBranch(inner)).containsExactly("M /d/x");
        assertThat(merge(inner)).isEqualTo(new BranchMerge.Result.Merged(1, 1));
        assertThat(ofBranch(outer)).containsExactlyInAnyOrder("M /a", "M /d/x");
        assertThat(merge(outer)).isInstanceOf(BranchMerge.Result.Merged.class);
        assertThat(tree(TREE)).isEqualTo(tree(inner.path()));
    }

    @Test
    void theLastBranchTakesTheBaseWithIt() throws IOException {
        BranchCreation.Created made = create(2);
        FilePath base = made.set().base();
        assertThat(BranchDrop.drop(bdt, made.branches().get(0), Optional.empty()))
                .isEqualTo(new BranchDrop.Dropped(1, false));
        assertThat(bdt.stat(base)).isPresent();
        assertThat(ofBranch(open(made.branches().get(1)))).isEmpty();
        assertThat(BranchDrop.drop(bdt, made.branches().get(1), Optional.empty()))
                .isEqualTo(new BranchDrop.Dropped(1, true));
        assertThat(bdt.stat(base)).isEmpty();
        assertThat(bdt.stat(made.set().path())).isEmpty();
    }

    @Test
    void aSetIsDroppedWhole() throws IOException {
        BranchCreation.Created made = create(3);
        assertThat(BranchDrop.drop(bdt, made.set().path(), Optional.empty()))
                .isEqualTo(new BranchDrop.Dropped(3, true));
        assertThat(bdt.stat(made.set().base())).isEmpty();
        assertThat(tree(path("/tree.branches"))).isEmpty();
    }

    @Test
    void mergedBytesOutliveTheBranch() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/a", 9, 90);
        assertThat(merge(branch)).isInstanceOf(BranchMerge.Result.Merged.class);
        Map<String, String> merged = tree(TREE);
        BranchDrop.Dropped unused = BranchDrop.drop(bdt, branch.path(), Optional.empty());
        assertThat(tree(TREE)).isEqualTo(merged);
    }

    @Test
    void aNewMasterWithoutTheDiskKnowsBranches() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/a", 9, 90);
        delete(branch.path() + "/d/y");
        put("/tree/b", 8, 80);
        bdt.checkpoint();
        master.close();
        open("another");
        Branch found = open(branch.path());
        assertThat(found).isEqualTo(branch);
        assertThat(ofBranch(found)).containsExactlyInAnyOrder("M /a", "- /d/y");
        assertThat(ofOrigin(found)).containsExactly("M /b");
        assertThat(merge(found)).isInstanceOf(BranchMerge.Result.Merged.class);
        assertThat(tree(TREE)).containsEntry("/a", "f 644 9 90").doesNotContainKey("/d/y");
    }

    /** The answer to a change that comes between the comparison and the vector. */
    @Test
    void aChangeOfTheOriginDuringAMergeIsFound() throws IOException {
        Branch branch = branch();
        put(branch.path() + "/a", 9, 90);
        MergePlan plan = new MergePlan(bdt, branch);
        new ThreeTrees(bdt, branch).branchChanges(FilePath.ROOT, plan::add);
        put("/tree/a", 8, 80);
        assertThat(bdt.apply(plan.vector()).toString()).contains("CHANGED");
        assertThat(conflicts(branch)).containsExactly("MM /a");
    }

    /** Names of the clone may lead to files of its own without rows that say so. */
    @Test
    void allNamesOfAFileThatTheBranchChangedAreTold() throws IOException {
        apply(new Operation.Link(path("/tree/a"), path("/tree/d/a2")));
        Branch branch = branch();
        chmod(branch.path() + "/a", 0600);
        assertThat(ofBranch(branch)).containsExactlyInAnyOrder("M /a", "M /d/a2");
        assertThat(merge(branch)).isInstanceOf(BranchMerge.Result.Merged.class);
        assertThat(tree(TREE)).isEqualTo(tree(branch.path()));
    }
}
