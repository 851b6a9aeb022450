// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The end of branches. With the last one of a set its base goes, too. */
public final class BranchDrop {
    private static final int PAGE = 1_000;

    private BranchDrop() {}

    /**
     * A result.
     *
     * @param branches that were deleted
     * @param isBaseDropped true if the set and its base are gone
     */
    public record Dropped(int branches, boolean isBaseDropped) {}

    /**
     * Deletes a branch, or a set with all of its branches.
     *
     * @param origin the path that the origin has now, if it was renamed
     */
    public static Dropped drop(Bdt bdt, FilePath path, Optional<FilePath> origin) throws IOException {
        Optional<BranchSet> whole = BranchSet.find(bdt, path);
        boolean isBranch = path.parent().isPresent()
                && BranchSet.find(bdt, path.parent().get()).isPresent();
        if (whole.isPresent() && !isBranch) {
            return dropAll(bdt, moved(whole.get(), origin));
        }
        Branch branch = Branch.find(bdt, path);
        delete(bdt, path);
        return new Dropped(1, end(bdt, moved(branch.set(), origin)));
    }

    private static BranchSet moved(BranchSet set, Optional<FilePath> origin) {
        return origin.map(set::from).orElse(set);
    }

    private static Dropped dropAll(Bdt bdt, BranchSet set) throws IOException {
        int branches = 0;
        List<FilePath> page = page(bdt, set);
        while (!page.isEmpty()) {
            if (!deleteTogether(bdt, page)) {
                for (FilePath each : page) {
                    delete(bdt, each);
                }
            }
            branches += page.size();
            page = page(bdt, set);
        }
        return new Dropped(branches, end(bdt, set));
    }

    private static List<FilePath> page(Bdt bdt, BranchSet set) throws IOException {
        return bdt.list(set.path(), "", PAGE).orElse(List.of()).stream()
                .map(FileStatus::path)
                .toList();
    }

    /** Deletes branches by one vector; returns false if one of them is no directory, or is more than a vector deletes. */
    private static boolean deleteTogether(Bdt bdt, List<FilePath> branches) throws IOException {
        List<Operation> operations = new ArrayList<>();
        branches.forEach(each -> operations.add(new Operation.Delete(each, true)));
        try {
            return bdt.apply(new OperationVector(List.of(), operations)) instanceof VectorResult.Applied;
        } catch (IllegalArgumentException e) {
            // The deletions one by one say which of them is impossible, and do all before it.
            return false;
        }
    }

    private static void delete(Bdt bdt, FilePath path) throws IOException {
        Outcome outcome = bdt.delete(path, true);
        if (outcome == Outcome.NOT_FOUND) {
            throw new FileNotFoundException(path + ": no such branch");
        }
        if (outcome != Outcome.DONE) {
            throw new IOException("%s: the branch was not deleted: %s".formatted(path, outcome));
        }
    }

    /** Deletes a set without branches, and its base; returns false when there are other branches. */
    private static boolean end(Bdt bdt, BranchSet set) throws IOException {
        List<Operation> operations = new ArrayList<>(List.of(new Operation.Delete(set.path(), false)));
        boolean hasBase = set.ownsBase() && bdt.stat(set.base()).isPresent();
        if (hasBase) {
            operations.add(new Operation.DropSnapshot(set.origin(), set.snapshot()));
        }
        VectorResult result = bdt.apply(new OperationVector(List.of(), operations));
        boolean isKnown = result instanceof VectorResult.Applied
                || ((VectorResult.Refused) result).reason() == Outcome.NOT_EMPTY
                || ((VectorResult.Refused) result).reason() == Outcome.NOT_FOUND;
        if (!isKnown) {
            throw new IOException("%s: the branches are deleted, and their base is not: %s"
                    .formatted(set.path(), ((VectorResult.Refused) result).reason()));
        }
        return result instanceof VectorResult.Applied && hasBase;
    }
}
