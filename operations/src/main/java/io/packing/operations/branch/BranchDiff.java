// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.tree.Difference;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/** The changes of a branch, and those of its origin, since the base. It holds a page of them in memory. */
public final class BranchDiff {
    private BranchDiff() {}

    /** The tree that changed. */
    public enum Side {
        BRANCH,
        ORIGIN
    }

    /**
     * A change since the base.
     *
     * @param path relative to the branch and to the origin
     * @param isConflict true if both changed the path, and not to the same
     */
    public record Change(Side side, Difference.Kind kind, FilePath path, boolean isConflict) {}

    /** A receiver of changes. */
    public interface Visitor {
        void visit(Change change) throws IOException;
    }

    /** Visits the changes of the branch. The cost is that of the changes, and not of the tree. */
    public static void ofBranch(BdtLookups bdt, Branch branch, FilePath below, Visitor visitor) throws IOException {
        new ThreeTrees(bdt, branch).branchChanges(below, each -> visit(Side.BRANCH, each, each.ofBranch(), visitor));
    }

    /** Visits the changes of the origin. It lists the base and the origin. */
    public static void ofOrigin(BdtLookups bdt, Branch branch, FilePath below, Visitor visitor) throws IOException {
        new ThreeTrees(bdt, branch).originChanges(below, each -> visit(Side.ORIGIN, each, each.ofOrigin(), visitor));
    }

    private static void visit(Side side, ThreeWay path, Optional<Difference.Kind> kind, Visitor visitor)
            throws IOException {
        if (kind.isPresent()) {
            visitor.visit(new Change(side, kind.get(), path.path(), path.isConflict()));
        }
    }
}
