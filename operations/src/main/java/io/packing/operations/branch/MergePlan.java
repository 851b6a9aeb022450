// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import com.google.common.collect.Lists;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.tree.Difference;
import io.packing.bdt.tree.TreeEdits;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The vector of a merge, or its conflicts. Deletions come first, entries before their directories, and no deletion takes more than
 * one entry: so a directory with an entry that the branch did not know stays. Confined to one thread.
 */
final class MergePlan {
    /** A vector is one message, of at most 16 MiB; each part of it needs some bytes besides its paths. */
    private static final long MOST_BYTES = 15L << 20;

    private static final int BYTES_OF_PART = 96;

    private final BdtLookups bdt;
    private final Branch branch;
    private final FilePath origin;
    private final TreeEdits edits;
    private final List<Precondition> preconditions = new ArrayList<>();
    private final List<Operation> deletions = new ArrayList<>();
    private final List<BranchConflict> conflicts = new ArrayList<>();
    /** Directories that the vector makes. */
    private final Set<FilePath> made = new HashSet<>();
    /** The first new entry of each directory of the origin that gets some. */
    private final Map<FilePath, FilePath> added = new LinkedHashMap<>();

    private int changes;
    private long bytes;

    MergePlan(BdtLookups bdt, Branch branch) {
        this.bdt = bdt;
        this.branch = branch;
        this.origin = branch.set().origin();
        this.edits = new TreeEdits(bdt, branch.path(), origin, tooMuch());
    }

    private String tooMuch() {
        return "%s changed more than one vector can merge, %,d operations in 16 MiB: merge a directory at a time with --path DIRECTORY"
                .formatted(branch.path(), OperationVector.MAX_OPERATIONS);
    }

    /** Adds a path that the branch may have changed. */
    void add(ThreeWay path) throws IOException {
        if (path.isConflict()) {
            conflicts.add(new BranchConflict(
                    path.path(),
                    path.ofBranch().orElse(Difference.Kind.DELETED),
                    path.ofOrigin().orElseThrow()));
        } else if (path.ofBranch().isPresent() && !path.areEqual()) {
            change(path);
        }
    }

    private void change(ThreeWay path) throws IOException {
        changes++;
        FilePath at = ThreeTrees.below(origin, path.path());
        Optional<FileStatus> there = path.origin().map(ListedEntry::status);
        Optional<FileStatus> wanted = path.branch().map(ListedEntry::status);
        boolean isOtherKind = there.isPresent()
                && wanted.isPresent()
                && there.get().isDirectory() != wanted.get().isDirectory();
        expect(path.path(), at, there);
        count(at);
        if (there.isPresent() && (wanted.isEmpty() || isOtherKind)) {
            deletions.add(new Operation.Delete(at, false));
        }
        if (wanted.isPresent() && (there.isEmpty() || isOtherKind)) {
            make(path.path(), wanted.get());
        } else if (wanted.isPresent()) {
            boolean haveSameBytes = !wanted.get().isDirectory()
                    && ThreeWay.haveSameBytes(
                            path.branch().orElseThrow(), path.origin().orElseThrow());
            edits.change(path.path(), wanted.get(), there.orElseThrow(), haveSameBytes);
        }
        if (deletions.size() + edits.operations().size() > OperationVector.MAX_OPERATIONS || bytes > MOST_BYTES) {
            throw new IllegalArgumentException(tooMuch());
        }
    }

    private void make(FilePath path, FileStatus wanted) throws IOException {
        if (wanted.isDirectory()) {
            made.add(path);
            edits.makeDirectory(path, wanted);
        } else {
            edits.makeFile(path, wanted, false);
        }
        FilePath parent = path.parent().orElseThrow();
        if (!made.contains(parent)) {
            added.putIfAbsent(parent, path);
        }
    }

    /** Lets the vector fail if the path of the origin changes. A directory's path has no version; an operation on it fails by itself. */
    private void expect(FilePath path, FilePath at, Optional<FileStatus> there) {
        boolean isBelowNew = path.parent().filter(made::contains).isPresent();
        if (there.isEmpty() && !isBelowNew) {
            preconditions.add(new Precondition.Absent(at));
        } else if (there.isPresent() && !there.get().isDirectory()) {
            preconditions.add(new Precondition.SameVersion(at, there.get().version()));
        }
    }

    /** Counts the bytes of a precondition, an operation and a change of attributes with a path, and of the path in the branch. */
    private void count(FilePath at) {
        bytes += 4L * (at.value().getBytes(StandardCharsets.UTF_8).length + BYTES_OF_PART)
                + branch.path().value().length();
    }

    int changes() {
        return changes;
    }

    /** Returns the conflicts in the order in which they were found. Then no vector may be applied. */
    List<BranchConflict> conflicts() throws IOException {
        List<BranchConflict> all = new ArrayList<>(conflicts);
        List<Map.Entry<FilePath, FilePath>> parents = List.copyOf(added.entrySet());
        for (List<Map.Entry<FilePath, FilePath>> part : Lists.partition(parents, FoundEntry.MOST_PATHS)) {
            List<Optional<ListedEntry>> found = ThreeTrees.find(
                    bdt, origin, part.stream().map(Map.Entry::getKey).toList());
            for (int i = 0; i < part.size(); i++) {
                if (found.get(i).filter(each -> each.status().isDirectory()).isEmpty()) {
                    all.add(new BranchConflict(
                            part.get(i).getValue(), Difference.Kind.CREATED, Difference.Kind.DELETED));
                }
            }
        }
        return all;
    }

    OperationVector vector() {
        List<Operation> operations = new ArrayList<>(deletions);
        Collections.reverse(operations);
        operations.addAll(edits.operations());
        return new OperationVector(preconditions, operations);
    }
}
