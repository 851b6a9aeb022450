// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Random changes of a branch and of its origin: differences, conflicts and merges are those of plain maps of paths. */
class BranchModelTest extends BranchFixture {
    private static final int CHANGES = 12;
    private static final long FIRST_SEED = Seed.value();

    private Random random = Seed.random();

    @RepeatedTest(30)
    void differencesConflictsAndMergesAreThoseOfTheModel(RepetitionInfo repetition) throws IOException {
        long seed = FIRST_SEED + repetition.getCurrentRepetition() - 1;
        System.out.printf("-Dpacking.seed=%d%n", seed);
        random = new Random(seed);
        put("/tree/a", 1, 1);
        change(TREE, 25);
        Branch branch = branch();
        Map<String, String> base = tree(TREE);
        for (int round = 0; round < 3; round++) {
            // Few changes have often no conflict.
            change(branch.path(), random.nextInt(CHANGES));
            change(TREE, random.nextInt(random.nextBoolean() ? CHANGES : 3));
            check(branch, base);
        }
    }

    private void check(Branch branch, Map<String, String> base) throws IOException {
        Map<String, String> mine = tree(branch.path());
        Map<String, String> theirs = tree(TREE);
        assertThat(kinds(ofBranch(branch))).isEqualTo(differences(base, mine));
        assertThat(kinds(ofOrigin(branch))).isEqualTo(differences(base, theirs));
        Set<String> expected = conflicts(base, mine, theirs);
        BranchMerge.Result result = merge(branch);
        if (result instanceof BranchMerge.Result.Conflicting found) {
            Set<String> paths = new TreeSet<>();
            found.conflicts().forEach(each -> paths.add(each.path().value()));
            assertThat(expected).as("conflicts %s", paths).isNotEmpty();
            assertThat(paths).containsAll(expected);
            assertThat(tree(TREE)).isEqualTo(theirs);
            return;
        }
        assertThat(expected).isEmpty();
        Map<String, String> merged = new TreeMap<>(theirs);
        for (String path : differences(base, mine).keySet()) {
            String wanted = mine.get(path);
            if (wanted == null) {
                merged.remove(path);
            } else {
                merged.put(path, wanted);
            }
        }
        assertThat(tree(TREE)).isEqualTo(merged);
        assertThat(tree(branch.path())).isEqualTo(mine);
    }

    /** Drops the marks of conflicts. */
    private static Map<String, String> kinds(List<String> changes) {
        Map<String, String> kinds = new TreeMap<>();
        for (String each : changes) {
            String[] words = each.split(" ", -1);
            assertThat(kinds.put(words[1], words[0])).as("%s twice", each).isNull();
        }
        return kinds;
    }

    private static Map<String, String> differences(Map<String, String> before, Map<String, String> after) {
        Map<String, String> kinds = new TreeMap<>();
        Set<String> all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        for (String path : all) {
            if (!Objects.equals(before.get(path), after.get(path))) {
                kinds.put(path, !before.containsKey(path) ? "+" : after.containsKey(path) ? "M" : "-");
            }
        }
        return kinds;
    }

    private static Set<String> conflicts(
            Map<String, String> base, Map<String, String> mine, Map<String, String> theirs) {
        Set<String> conflicts = new TreeSet<>();
        Map<String, String> ofMine = differences(base, mine);
        Map<String, String> ofTheirs = differences(base, theirs);
        for (String path : ofTheirs.keySet()) {
            boolean isEqual = Objects.equals(mine.get(path), theirs.get(path));
            boolean isCutOff = theirs.containsKey(path) && isCutOff(base, mine, parent(path));
            if (!isEqual && (ofMine.containsKey(path) || isCutOff)) {
                conflicts.add(path);
            }
        }
        Set<String> orphans = new TreeSet<>();
        for (String path : ofMine.keySet()) {
            boolean isAdded = mine.containsKey(path) && !theirs.containsKey(path);
            boolean isParentNew = ofMine.containsKey(parent(path)) && isDirectory(mine, parent(path));
            if (isAdded && !isDirectory(theirs, parent(path)) && !isParentNew) {
                orphans.add(parent(path));
            }
        }
        if (conflicts.isEmpty() && !orphans.isEmpty()) {
            // The first new entry of each stands for it.
            orphans.forEach(parent -> ofMine.keySet().stream()
                    .filter(path -> parent(path).equals(parent) && mine.containsKey(path))
                    .findFirst()
                    .ifPresent(conflicts::add));
        }
        return conflicts;
    }

    /** Returns whether a directory, or one above it, is in the base and not in the branch. */
    private static boolean isCutOff(Map<String, String> base, Map<String, String> mine, String directory) {
        return !directory.isEmpty()
                && ((isDirectory(base, directory) && !isDirectory(mine, directory))
                        || isCutOff(base, mine, parent(directory)));
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private static boolean isDirectory(Map<String, String> tree, String path) {
        return path.isEmpty() || tree.getOrDefault(path, "").startsWith("d");
    }

    private void change(FilePath top, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            change(top);
        }
    }

    /** Makes one change; one that is impossible is left out. */
    private void change(FilePath top) throws IOException {
        Map<String, String> there = tree(top);
        List<String> all = new ArrayList<>(there.keySet());
        List<String> directories = new ArrayList<>(
                all.stream().filter(path -> isDirectory(there, path)).toList());
        directories.add("");
        String at = all.isEmpty() ? "/a" : all.get(random.nextInt(all.size()));
        String fresh = directories.get(random.nextInt(directories.size())) + "/" + (char) ('a' + random.nextInt(6));
        boolean isFile = there.getOrDefault(at, "").startsWith("f");
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                if (!isDirectory(there, fresh)) {
                    put(top + fresh, random.nextInt(3), random.nextInt(3));
                }
            }
            case 2 -> {
                Outcome unused = bdt.mkdir(path(top + fresh), DIRECTORY, false);
            }
            case 3 -> {
                Outcome unused = bdt.delete(path(top + at), true);
            }
            case 4 -> {
                boolean isBelow = (fresh + "/").startsWith(at + "/");
                Outcome unused = isBelow ? Outcome.INVALID : bdt.rename(path(top + at), path(top + fresh));
            }
            case 5 -> {
                if (there.containsKey(at)) {
                    chmod(top + at, random.nextBoolean() ? 0755 : 0700);
                }
            }
            case 6 -> {
                if (isFile) {
                    put(top + at, random.nextInt(3), random.nextInt(3));
                }
            }
            default -> {
                if (isFile && random.nextInt(3) == 0) {
                    VectorResult unused =
                            bdt.apply(OperationVector.of(new Operation.Link(path(top + at), path(top + fresh))));
                }
            }
        }
    }
}
