// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.FilePath;
import java.util.Optional;

/**
 * A file whose bytes an operation changes or takes, at its place.
 *
 * @param problem the reason why there is no such file; DONE: there is one
 */
record RangeTarget(Outcome problem, FilePath path, EntryLink at, Optional<Inode> inode) {
    static RangeTarget of(FilePath path, ResolvedPath found) {
        EntryLink at = found.link();
        if (found.inode().isEmpty()) {
            return new RangeTarget(found.whyAbsent(), path, at, Optional.empty());
        }
        Inode inode = found.inode().get();
        // The table does not know of what a missing file was made.
        Outcome present = inode.place() instanceof Inode.Missing ? Outcome.NOT_FOUND : Outcome.DONE;
        Outcome problem = inode.isDirectory() ? Outcome.IS_A_DIRECTORY : present;
        return new RangeTarget(problem, path, at, found.inode());
    }

    Inode file() {
        return inode.orElseThrow();
    }

    long length() {
        return file().attributes().length();
    }

    /** Returns why the file cannot be changed; DONE: it can. */
    Outcome changeable() {
        return problem == Outcome.DONE && file().isUncommitted() ? Outcome.UNCOMMITTED : problem;
    }

    boolean isOneWith(RangeTarget other) {
        return at.equals(other.at) && file().version().equals(other.file().version());
    }
}
