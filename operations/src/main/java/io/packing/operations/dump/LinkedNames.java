// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Names of files that have several in a dump: the first becomes a file, the others its names, when it is there. Knows the files that have
 * several names, and no others. Confined to one thread.
 */
final class LinkedNames {
    private record Name(DumpedEntry entry, FilePath file, FilePath to) {}

    /** The identity of a file: one in a directory's clone has the id of its origin's, and is another file. */
    private record Same(long cloneId, long file) {}

    private final Bdt bdt;
    private final boolean overwrite;
    private final LoadCounts counts;
    private final Map<Same, FilePath> files = new HashMap<>();
    private final List<Name> names = new ArrayList<>();

    LinkedNames(Bdt bdt, boolean overwrite, LoadCounts counts) {
        this.bdt = bdt;
        this.overwrite = overwrite;
        this.counts = counts;
    }

    /** Returns whether an entry is another name of a file that the load made or will make. */
    boolean take(DumpedEntry entry, FilePath to) {
        if (!entry.status().extras().isLinked()) {
            return false;
        }
        FileStatus status = entry.status();
        FilePath file =
                files.putIfAbsent(new Same(status.cloneId(), status.version().id()), to);
        if (file != null) {
            names.add(new Name(entry, file, to));
        }
        return file != null;
    }

    /** Makes the names. */
    void finish() throws IOException {
        Changes changes = new Changes(bdt);
        for (Name each : names) {
            Optional<FileVersion> file = bdt.stat(each.file()).map(FileStatus::version);
            Optional<FileVersion> there = bdt.stat(each.to()).map(FileStatus::version);
            if (there.isPresent() && there.equals(file)) {
                counts.isThere();
                continue;
            }
            List<Operation> operations = new ArrayList<>();
            if (there.isPresent() && overwrite) {
                operations.add(new Operation.Delete(each.to(), false));
            }
            operations.add(new Operation.Link(each.file(), each.to()));
            changes.add(new Changes.Change(List.of(), operations, outcome -> ended(each, outcome)));
        }
        changes.flush();
    }

    private void ended(Name name, Outcome outcome) {
        if (outcome == Outcome.DONE) {
            counts.made(name.entry().status().attributes());
        } else if (outcome == Outcome.EXISTS) {
            counts.failed(name.to(), "another file is there; --overwrite replaces it");
        } else {
            counts.failed(name.to(), "it cannot be made a name of %s: %s".formatted(name.file(), outcome));
        }
    }
}
