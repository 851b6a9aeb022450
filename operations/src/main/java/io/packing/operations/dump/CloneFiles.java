// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Makes files as clones of the versions that the dump names, wherever these are in the mount by now. Copies no byte. */
final class CloneFiles implements Load.Files {
    private final BdtLookups bdt;
    private final boolean overwrite;
    private final LoadCounts counts;
    private final Changes changes;

    /** @param changes takes the files, behind their directories */
    CloneFiles(BdtLookups bdt, boolean overwrite, LoadCounts counts, Changes changes) {
        this.bdt = bdt;
        this.overwrite = overwrite;
        this.counts = counts;
        this.changes = changes;
    }

    @Override
    public void make(DumpedEntry entry, FilePath to) throws IOException {
        FileStatus wanted = entry.status();
        Optional<FileStatus> found = find(wanted);
        if (found.isEmpty()) {
            if (counts.isThere(to, wanted.attributes())) {
                counts.isThere();
            } else {
                counts.failed(to, "this mount has no file %s any more; load with --bytes".formatted(wanted.version()));
            }
            return;
        }
        FilePath source = found.get().path();
        if (source.equals(to)) {
            counts.isThere();
            return;
        }
        changes.add(new Changes.Change(
                List.of(new Precondition.SameVersion(source, wanted.version())),
                List.of(new Operation.CloneFile(
                        source,
                        to,
                        overwrite,
                        found.get().extras().hasExtended() ? entry.wholeChange() : entry.change())),
                outcome -> ended(wanted, to, outcome)));
    }

    private Optional<FileStatus> find(FileStatus wanted) throws IOException {
        // By its version a file with several names is found under none of them.
        Optional<FileStatus> found = wanted.extras().isLinked()
                ? Optional.empty()
                : bdt.locate(wanted.version())
                        .map(LocatedFile::status)
                        .filter(status -> !FilePath.RESERVED.contains(status.path()));
        if (found.isPresent()) {
            return found;
        }
        // Nor is a file that only a clone of its directory shows.
        Optional<FileStatus> there = bdt.stat(wanted.path());
        return there.filter(status -> status.version().equals(wanted.version()));
    }

    private void ended(FileStatus wanted, FilePath to, Outcome outcome) throws IOException {
        if (outcome == Outcome.DONE) {
            counts.made(wanted.attributes());
        } else if (outcome == Outcome.EXISTS && counts.isThere(to, wanted.attributes())) {
            counts.isThere();
        } else if (outcome == Outcome.EXISTS) {
            counts.failed(to, "another file is there; --overwrite replaces it");
        } else {
            counts.failed(to, "it cannot be made: " + outcome);
        }
    }

    @Override
    public void finish() throws IOException {
        changes.flush();
    }
}
