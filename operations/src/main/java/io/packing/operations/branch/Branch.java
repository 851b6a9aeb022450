// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;

/** A branch: a writable clone of its set's base. */
public record Branch(FilePath path, BranchSet set) {
    /**
     * Opens a branch, whose origin and base have to be there.
     *
     * @param origin the path that the origin has now, if it was renamed
     * @throws IllegalArgumentException when the path is no branch of the origin
     */
    public static Branch open(BdtLookups bdt, FilePath path, Optional<FilePath> origin) throws IOException {
        Branch branch = find(bdt, path);
        if (origin.isPresent()) {
            branch = new Branch(path, branch.set().from(origin.get()));
        }
        FilePath of = branch.set().origin();
        if (bdt.stat(of).filter(FileStatus::isDirectory).isEmpty()) {
            throw new FileNotFoundException(
                    "%s is a branch of %s, which is no directory any more: if it was renamed, give its path with --origin"
                            .formatted(path, of));
        }
        FilePath base = branch.set().base();
        if (bdt.stat(base).isEmpty()) {
            throw new FileNotFoundException(
                    "%s: %s is not there, so what changed since it is unknown: the snapshot was deleted, or %s is another directory than the one that was branched; give its path with --origin"
                            .formatted(path, base, of));
        }
        return branch;
    }

    /** Finds a branch by the attribute of the directory that it is in. */
    static Branch find(BdtLookups bdt, FilePath path) throws IOException {
        FileStatus there = bdt.stat(path).orElseThrow(() -> new FileNotFoundException(path + ": no such branch"));
        Optional<FilePath> parent = path.parent();
        Optional<BranchSet> set = parent.isEmpty() ? Optional.empty() : BranchSet.find(bdt, parent.get());
        if (set.isEmpty() || !there.isDirectory()) {
            throw notOne(path);
        }
        return new Branch(path, set.get());
    }

    static IllegalArgumentException notOne(FilePath path) {
        return new IllegalArgumentException(
                "%s is no branch: a branch is a directory where packing branch create made it".formatted(path));
    }

    /** The exception for a directory that is in a set, and no clone of the set's base. */
    IllegalArgumentException notOfBase() {
        return new IllegalArgumentException(
                "%s is no clone of %s, the base of the branches beside it".formatted(path, set.base()));
    }
}
