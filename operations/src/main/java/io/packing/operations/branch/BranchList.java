// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.tree.Children;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;

/** The branches of a set, or of the sets of a directory such as {@code /tree.branches}. */
public final class BranchList {
    private BranchList() {}

    /** A receiver of branches. */
    public interface Visitor {
        void visit(Branch branch) throws IOException;
    }

    /**
     * Visits the branches in the order of their names.
     *
     * @param path a set, a directory of sets, or a directory that was branched
     */
    public static void visit(BdtLookups bdt, FilePath path, Visitor visitor) throws IOException {
        Optional<BranchSet> set = BranchSet.find(bdt, path);
        if (set.isPresent()) {
            visit(bdt, set.get(), visitor);
            return;
        }
        FilePath sets = path.isRoot() ? path : BranchCreation.place(bdt, path);
        if (bdt.stat(sets).isEmpty()) {
            sets = path;
        }
        if (bdt.stat(sets).isEmpty()) {
            throw new FileNotFoundException(path + ": no such directory");
        }
        Children children = new Children(bdt, sets);
        for (FileStatus each = children.next(); each != null; each = children.next()) {
            Optional<BranchSet> one = each.isDirectory() && each.extras().hasExtended()
                    ? BranchSet.find(bdt, each.path())
                    : Optional.empty();
            if (one.isPresent()) {
                visit(bdt, one.get(), visitor);
            }
        }
    }

    private static void visit(BdtLookups bdt, BranchSet set, Visitor visitor) throws IOException {
        Children children = new Children(bdt, set.path());
        for (FileStatus each = children.next(); each != null; each = children.next()) {
            if (each.isDirectory()) {
                visitor.visit(new Branch(each.path(), set));
            }
        }
    }
}
