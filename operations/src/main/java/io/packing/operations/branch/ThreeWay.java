// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.tree.Difference;
import io.packing.bdt.tree.EntryComparison;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/**
 * One path as three trees have it.
 *
 * @param path relative to each tree
 * @param isCutOff true if the branch deleted a directory above the path
 */
record ThreeWay(
        FilePath path,
        Optional<ListedEntry> base,
        Optional<ListedEntry> branch,
        Optional<ListedEntry> origin,
        boolean isCutOff) {
    /** Returns the change of the branch since the base. */
    Optional<Difference.Kind> ofBranch() throws IOException {
        return change(base, branch);
    }

    /** Returns the change of the origin since the base. */
    Optional<Difference.Kind> ofOrigin() throws IOException {
        return change(base, origin);
    }

    /** Returns whether the branch and the origin have equal entries, or both none. */
    boolean areEqual() throws IOException {
        return change(branch, origin).isEmpty();
    }

    /** Returns whether both sides changed the path, and not to the same. */
    boolean isConflict() throws IOException {
        if (ofOrigin().isEmpty()) {
            return false;
        }
        // What the origin added or changed in a directory that the branch deleted would be lost with the directory.
        return (ofBranch().isPresent() || (isCutOff && origin.isPresent())) && !areEqual();
    }

    private static Optional<Difference.Kind> change(Optional<ListedEntry> before, Optional<ListedEntry> after)
            throws IOException {
        if (before.isEmpty() || after.isEmpty()) {
            return before.isEmpty() == after.isEmpty()
                    ? Optional.empty()
                    : Optional.of(after.isEmpty() ? Difference.Kind.DELETED : Difference.Kind.CREATED);
        }
        boolean differ = EntryComparison.differ(
                before.get().status(), after.get().status(), () -> haveSameBytes(before.get(), after.get()));
        return differ ? Optional.of(Difference.Kind.MODIFIED) : Optional.empty();
    }

    /** Returns whether two files share all of their bytes; of a file that the caller may not read, that is unknown. */
    static boolean haveSameBytes(ListedEntry one, ListedEntry other) {
        Optional<Boolean> known = EntryComparison.haveSameBytes(one.status(), other.status());
        if (known.isPresent()) {
            return known.get();
        }
        return one.placement().isPresent()
                && other.placement().isPresent()
                && EntryComparison.shareBytes(
                        new LocatedFile(one.status(), one.placement().get()),
                        new LocatedFile(other.status(), other.placement().get()));
    }
}
