// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.List;

/**
 * The size of a request, by which its cost at the writer is bounded.
 *
 * @param operations with preconditions
 * @param characters of all its paths
 */
public record RequestSize(int operations, long characters) {
    /** The rows that any request may take: some 200,000, which the writer reads in about 0.1 s. */
    static final long ANY_REQUEST = 200_000;

    /** A name may be looked for in a chain of 64 origins, in three rows of each. */
    static final long EACH_OPERATION = 256;

    /** A level of a path has two characters at least, and its directory is asked for snapshots and quotas. */
    static final long EACH_CHARACTER = 8;

    static final RequestSize ONE = new RequestSize(1, 0);

    public static RequestSize of(OperationVector vector) {
        long characters = 0;
        for (Precondition each : vector.preconditions()) {
            characters += each.path().value().length();
        }
        for (Operation each : vector.operations()) {
            for (FilePath path : paths(each)) {
                characters += path.value().length();
            }
        }
        int operations = vector.preconditions().size() + vector.operations().size();
        return new RequestSize(operations, characters);
    }

    /** A request with one operation on these paths. */
    public static RequestSize of(FilePath... paths) {
        long characters = 0;
        for (FilePath each : paths) {
            characters += each.value().length();
        }
        return new RequestSize(1, characters);
    }

    /** The units of {@link Effort} that the request may take. */
    public long mostUnits() {
        return ANY_REQUEST + operations * EACH_OPERATION + characters * EACH_CHARACTER;
    }

    private static List<FilePath> paths(Operation operation) {
        List<FilePath> paths = new ArrayList<>();
        if (operation instanceof Operation.CloneRange clone) {
            paths.add(clone.source().path());
            paths.add(clone.destination());
        } else if (operation instanceof Operation.MoveRange move) {
            paths.add(move.source().path());
            paths.add(move.destination());
        } else if (operation instanceof Operation.DeleteRange delete) {
            paths.add(delete.range().path());
        } else if (operation instanceof Operation.Truncate truncate) {
            paths.add(truncate.path());
        } else if (operation instanceof Operation.CloneFile clone) {
            paths.add(clone.source());
            paths.add(clone.destination());
        } else if (operation instanceof Operation.CloneDirectory clone) {
            paths.add(clone.source());
            paths.add(clone.destination());
        } else {
            addNames(paths, operation);
        }
        return paths;
    }

    private static void addNames(List<FilePath> paths, Operation operation) {
        if (operation instanceof Operation.Rename rename) {
            paths.add(rename.from());
            paths.add(rename.to());
        } else if (operation instanceof Operation.Link link) {
            paths.add(link.file());
            paths.add(link.name());
        } else if (operation instanceof Operation.MergeDirectory merge) {
            paths.add(merge.from());
            paths.add(merge.to());
        } else if (operation instanceof Operation.MergeEachDirectory merge) {
            paths.add(merge.from());
            paths.add(merge.to());
        } else if (operation instanceof Operation.CreateFile create) {
            paths.add(create.path());
        } else if (operation instanceof Operation.Delete delete) {
            paths.add(delete.path());
        } else if (operation instanceof Operation.MakeDirectory make) {
            paths.add(make.path());
        } else if (operation instanceof Operation.SetAttributes set) {
            paths.add(set.path());
        } else if (operation instanceof Operation.TakeSnapshot take) {
            paths.add(take.directory());
        } else if (operation instanceof Operation.RenameSnapshot rename) {
            paths.add(rename.directory());
        } else if (operation instanceof Operation.DropSnapshot drop) {
            paths.add(drop.directory());
        }
    }
}
