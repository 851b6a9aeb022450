// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The creation of branches of a directory: a snapshot, and a clone of it for each branch, by a vector for some thousands. */
public final class BranchCreation {
    /** The most branches that one call makes. */
    public static final int MOST = 1_000_000;

    private static final int CLONES_OF_VECTOR = 2_000;
    private static final int PAGE = 1_000;
    private static final String PLACE = ".branches";

    private BranchCreation() {}

    /**
     * A wish for branches.
     *
     * @param origin the directory to branch
     * @param place the directory of sets in which the new set comes; empty: the origin's path and {@code .branches}; of a branch, the set's path, a hyphen, the branch's name and {@code .branches}
     * @param name of the set; empty: the next free number
     * @param attributes of new directories, but for the branches
     */
    public record Request(
            FilePath origin,
            Optional<FilePath> place,
            Optional<String> name,
            int count,
            DirectoryAttributes attributes) {
        public Request {
            if (count < 1 || count > MOST) {
                throw new IllegalArgumentException(
                        "%,d branches: from 1 to %,d are made at once".formatted(count, MOST));
            }
        }
    }

    /**
     * A result.
     *
     * @param rowBytes keys and values of the rows that the table got
     */
    public record Created(BranchSet set, List<FilePath> branches, long rowBytes) {
        public Created {
            branches = List.copyOf(branches);
        }
    }

    /** Makes branches, whose names are numbers from 1 on. */
    public static Created create(Bdt bdt, Request request) throws IOException {
        FilePath origin = request.origin();
        checkOrigin(bdt, origin);
        FilePath place = request.place().isPresent() ? request.place().get() : place(bdt, origin);
        if (origin.contains(place)) {
            throw new IllegalArgumentException(
                    "%s is in %s: branches of a directory cannot be in it".formatted(place, origin));
        }
        String name = request.name().isPresent() ? request.name().get() : next(bdt, place);
        BranchSet set = BranchSet.of(place.child(name), origin);
        List<FilePath> branches = branches(set.path(), request.count());
        List<Operation> operations = new ArrayList<>(List.of(
                new Operation.MakeDirectory(place, request.attributes(), true),
                new Operation.MakeDirectory(set.path(), request.attributes(), false),
                new Operation.SetAttributes(
                        set.path(), AttributeChange.ofExtended(ExtendedChange.put(BranchSet.ATTRIBUTE, set.encode()))),
                new Operation.TakeSnapshot(origin, set.snapshot())));
        long rowBytes = 0;
        for (int from = 0; from < branches.size(); from += CLONES_OF_VECTOR) {
            List<FilePath> part = branches.subList(from, Math.min(branches.size(), from + CLONES_OF_VECTOR));
            part.forEach(each -> operations.add(new Operation.CloneDirectory(set.base(), each)));
            try {
                rowBytes += apply(bdt, set, new OperationVector(List.of(), operations));
            } catch (IOException | RuntimeException e) {
                if (from == 0) {
                    throw e;
                }
                throw new IOException(
                        "%,d of %,d branches are in %s, and the next could not be made: %s. packing branch drop %s takes them away"
                                .formatted(from, branches.size(), set.path(), e.getMessage(), set.path()),
                        e);
            }
            operations.clear();
        }
        return new Created(set, branches, rowBytes);
    }

    /**
     * Returns the directory in which sets of branches of a directory are, if their maker chose no other one: beside the directory.
     * Sets of branches of a branch are not beside it, among the other branches.
     */
    static FilePath place(BdtLookups bdt, FilePath origin) throws IOException {
        FilePath parent = origin.parent().orElse(FilePath.ROOT);
        boolean isBranch = BranchSet.find(bdt, parent).isPresent();
        return new FilePath((isBranch ? parent.value() + "-" + origin.name() : origin.value()) + PLACE);
    }

    private static void checkOrigin(Bdt bdt, FilePath origin) throws IOException {
        if (origin.isRoot()) {
            throw new IllegalArgumentException("the root cannot be branched: branch a directory of it");
        }
        if (origin.isPast()) {
            throw new IllegalArgumentException(
                    "%s is in a snapshot, which never changes, so no branch could be merged into it: branch the directory itself"
                            .formatted(origin));
        }
        FileStatus there =
                bdt.stat(origin).orElseThrow(() -> new FileNotFoundException(origin + ": no such directory"));
        if (!there.isDirectory()) {
            throw new NotDirectoryException(origin + ": a file; branches are of directories");
        }
    }

    /** Returns the number after the highest one among the names of a directory. */
    private static String next(Bdt bdt, FilePath place) throws IOException {
        long highest = 0;
        String after = "";
        for (boolean more = true; more; ) {
            List<FileStatus> page = bdt.list(place, after, PAGE).orElse(List.of());
            for (FileStatus each : page) {
                after = each.path().name();
                if (after.matches("[0-9]{1,17}")) {
                    highest = Math.max(highest, Long.parseLong(after));
                }
            }
            more = !page.isEmpty();
        }
        return Long.toString(highest + 1);
    }

    /** Returns paths whose names have equal lengths, so that listings have the order of their numbers. */
    private static List<FilePath> branches(FilePath set, int count) {
        int digits = Integer.toString(count).length();
        List<FilePath> branches = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            String number = Integer.toString(i);
            branches.add(set.child("0".repeat(digits - number.length()) + number));
        }
        return branches;
    }

    private static long apply(Bdt bdt, BranchSet set, OperationVector vector) throws IOException {
        VectorResult result = bdt.apply(vector);
        if (result instanceof VectorResult.Applied applied) {
            return applied.rowBytes();
        }
        VectorResult.Refused refused = (VectorResult.Refused) result;
        Operation failed = vector.operations().get(refused.index());
        if (refused.reason() == Outcome.EXISTS && failed instanceof Operation.MakeDirectory) {
            throw new FileAlreadyExistsException(
                    set.path() + " exists: choose another name, or none for the next free number");
        }
        if (refused.reason() == Outcome.EXISTS && failed instanceof Operation.TakeSnapshot) {
            throw new FileAlreadyExistsException("%s exists, of branches that were at %s before: choose another name"
                    .formatted(set.base(), set.path()));
        }
        throw new IOException("no branch of %s was made in %s: %s of %s"
                .formatted(set.origin(), set.path(), refused.reason(), failed));
    }
}
