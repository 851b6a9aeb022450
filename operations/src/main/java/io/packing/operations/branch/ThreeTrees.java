// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.OwnName;
import io.packing.bdt.OwnNames;
import io.packing.bdt.tree.Children;
import io.packing.bdt.tree.EntryComparison;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The base, a branch and the origin, compared path by path. It looks up the names that can differ, 1,000 at a time, and no others. Used by one thread.
 */
final class ThreeTrees {
    private static final int PAGE = FoundEntry.MOST_PATHS;

    private final BdtLookups bdt;
    private final Branch branch;
    private final FilePath base;
    private final FilePath origin;

    /** A receiver of paths that may differ, parents before their entries. */
    interface Visitor {
        void visit(ThreeWay path) throws IOException;
    }

    private record Candidate(FilePath path, boolean isCutOff) {}

    ThreeTrees(BdtLookups bdt, Branch branch) {
        this.bdt = bdt;
        this.branch = branch;
        this.base = branch.set().base();
        this.origin = branch.set().origin();
    }

    /**
     * Visits the paths at which the branch may differ from its base, and those below directories that it has deleted.
     *
     * @param below only paths at this one and below it, relative to the branch
     */
    void branchChanges(FilePath below, Visitor visitor) throws IOException {
        Batch batch = new Batch(below, visitor);
        Optional<FilePath> next = Optional.of(FilePath.ROOT);
        while (next.isPresent()) {
            OwnNames page = bdt.ownNames(branch.path(), base, next.get(), PAGE);
            if (!page.isClone()) {
                throw branch.notOfBase();
            }
            for (OwnName each : page.names()) {
                if (!each.path().isRoot()) {
                    batch.add(new Candidate(each.path(), false));
                }
                if (each.isWhole()) {
                    walk(List.of(base, branch.path(), origin), new Level(each.path(), Optional.empty()), batch);
                }
            }
            next = page.next();
        }
        batch.flush();
    }

    /** Visits the paths at which the origin may differ from the base. It lists both. */
    void originChanges(FilePath below, Visitor visitor) throws IOException {
        Batch batch = new Batch(below, visitor);
        walk(List.of(base, origin), new Level(FilePath.ROOT, Optional.empty()), batch);
        batch.flush();
    }

    /** Adds the names in a directory that are not equal in all of the trees, and those below them. */
    private void walk(List<FilePath> trees, Level level, Batch batch) throws IOException {
        FilePath directory = level.directory;
        List<Children> listings = new ArrayList<>();
        for (FilePath each : trees) {
            listings.add(new Children(bdt, below(each, directory)));
        }
        for (Optional<FileStatus> first = first(listings); first.isPresent(); first = first(listings)) {
            List<Optional<FileStatus>> entries = new ArrayList<>();
            for (Children each : listings) {
                boolean isThere = Children.compare(each.peek(), first.get()) == 0;
                entries.add(isThere ? Optional.ofNullable(each.next()) : Optional.empty());
            }
            FilePath path = directory.child(first.get().path().name());
            if (!areEqual(entries)) {
                batch.add(new Candidate(path, level.isCutOff()));
            }
            if (entries.stream().flatMap(Optional::stream).anyMatch(FileStatus::isDirectory)) {
                walk(trees, new Level(path, Optional.of(level)), batch);
            }
        }
    }

    /** A directory that is walked. It is cut off if the branch deleted it, or one above it. */
    private final class Level {
        private final FilePath directory;
        private final Optional<Level> above;
        private Optional<Boolean> known = Optional.empty();

        private Level(FilePath directory, Optional<Level> above) {
            this.directory = directory;
            this.above = above;
        }

        /** Returns whether the directory is cut off. A walk asks only for directories with differences. */
        private boolean isCutOff() throws IOException {
            if (known.isEmpty()) {
                known = Optional.of((above.isPresent() && above.get().isCutOff())
                        || (isDirectory(below(base, directory)) && !isDirectory(below(branch.path(), directory))));
            }
            return known.get();
        }
    }

    private boolean isDirectory(FilePath path) throws IOException {
        return bdt.stat(path).filter(FileStatus::isDirectory).isPresent();
    }

    private static Optional<FileStatus> first(List<Children> listings) throws IOException {
        @Nullable FileStatus first = null;
        for (Children each : listings) {
            @Nullable FileStatus next = each.peek();
            if (Children.compare(next, first) < 0) {
                first = next;
            }
        }
        return Optional.ofNullable(first);
    }

    /** Returns whether all trees have an entry of a name, and these are surely equal. */
    private static boolean areEqual(List<Optional<FileStatus>> entries) throws IOException {
        FileStatus one = entries.get(0).orElse(null);
        if (one == null) {
            return false;
        }
        for (Optional<FileStatus> each : entries) {
            if (each.isEmpty() || EntryComparison.differ(one, each.get(), () -> false)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the path of an entry in a tree. */
    static FilePath below(FilePath tree, FilePath path) {
        return path.isRoot() ? tree : new FilePath(tree.value() + path.value());
    }

    /** Paths that are looked up together. */
    private final class Batch {
        private final FilePath within;
        private final Visitor visitor;
        private final List<Candidate> candidates = new ArrayList<>();

        private Batch(FilePath within, Visitor visitor) {
            this.within = within;
            this.visitor = visitor;
        }

        private void add(Candidate candidate) throws IOException {
            if (within.contains(candidate.path())) {
                candidates.add(candidate);
            }
            if (candidates.size() == PAGE) {
                flush();
            }
        }

        private void flush() throws IOException {
            List<Optional<ListedEntry>> inBase = find(bdt, base, paths());
            List<Optional<ListedEntry>> inBranch = find(bdt, branch.path(), paths());
            List<Optional<ListedEntry>> inOrigin = find(bdt, origin, paths());
            for (int i = 0; i < candidates.size(); i++) {
                Candidate each = candidates.get(i);
                visitor.visit(
                        new ThreeWay(each.path(), inBase.get(i), inBranch.get(i), inOrigin.get(i), each.isCutOff()));
            }
            candidates.clear();
        }

        private List<FilePath> paths() {
            return candidates.stream().map(Candidate::path).toList();
        }
    }

    /** Looks up at most 1,000 paths in a tree. */
    static List<Optional<ListedEntry>> find(BdtLookups bdt, FilePath tree, List<FilePath> paths) throws IOException {
        List<FoundEntry> found = paths.isEmpty()
                ? List.of()
                : bdt.find(paths.stream().map(path -> below(tree, path)).toList());
        List<Optional<ListedEntry>> entries = new ArrayList<>(found.size());
        for (FoundEntry each : found) {
            if (each.denied().isPresent()) {
                throw new DeniedException(each.denied().get());
            }
            entries.add(each.entry());
        }
        return entries;
    }
}
