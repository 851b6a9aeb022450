// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two trees of a mount; it finds renames by the identity of files and directories. For a
 * subtree in only one of them it reports the highest directory, and the renames into or out of it. It holds created and
 * deleted entries in memory.
 */
public final class TreeDiff {
    private static final Comparator<Difference> BY_PATH = Comparator.comparing(Difference::path)
            .thenComparing(Difference::kind)
            .thenComparing(each -> each.from().orElse(FilePath.ROOT));

    private final TreePair trees;
    /** The entries of only the first tree, parents before their entries. */
    private final Map<FilePath, FileStatus> gone = new LinkedHashMap<>();

    private final Map<FilePath, FileStatus> come = new LinkedHashMap<>();
    private final List<Difference> found = new ArrayList<>();

    private TreeDiff(TreePair trees) {
        this.trees = trees;
    }

    /**
     * Returns the differences in the order of their paths.
     *
     * @param before a directory, such as {@code /d/.snapshot/s}
     * @param after a directory, such as {@code /d}
     */
    public static List<Difference> between(BdtLookups bdt, FilePath before, FilePath after) throws IOException {
        return new TreeDiff(new TreePair(bdt, before, after)).run();
    }

    private List<Difference> run() throws IOException {
        addRoot();
        trees.walk(this::differs);
        Map<FilePath, FilePath> renamed = renames();
        Map<FilePath, FilePath> back = new HashMap<>();
        renamed.forEach((to, from) -> back.put(from, to));
        for (Map.Entry<FilePath, FilePath> each : renamed.entrySet()) {
            addRename(each.getKey(), each.getValue(), renamed);
        }
        come.keySet().stream()
                .filter(path -> !renamed.containsKey(path) && !isBelowOther(path, come, renamed))
                .forEach(path -> found.add(Difference.of(Difference.Kind.CREATED, path)));
        gone.keySet().stream()
                .filter(path -> !back.containsKey(path) && !isBelowOther(path, gone, back))
                .forEach(path -> found.add(Difference.of(Difference.Kind.DELETED, path)));
        return found.stream().sorted(BY_PATH).toList();
    }

    /** Adds the directory itself, when its attributes changed. */
    private void addRoot() throws IOException {
        Optional<FileStatus> before = trees.bdt().stat(trees.before());
        Optional<FileStatus> after = trees.bdt().stat(trees.after());
        if (before.isPresent() && after.isPresent() && trees.differ(before.get(), after.get())) {
            found.add(Difference.of(Difference.Kind.MODIFIED, FilePath.ROOT));
        }
    }

    private void differs(FilePath path, @Nullable FileStatus before, @Nullable FileStatus after) throws IOException {
        boolean both = before != null && after != null && before.isDirectory() == after.isDirectory();
        if (both) {
            found.add(Difference.of(Difference.Kind.MODIFIED, path));
            return;
        }
        if (before != null) {
            addAll(trees.before(), path, before, gone);
        }
        if (after != null) {
            addAll(trees.after(), path, after, come);
        }
    }

    private void addAll(FilePath tree, FilePath path, FileStatus top, Map<FilePath, FileStatus> all)
            throws IOException {
        all.put(path, top);
        Deque<FilePath> left = new ArrayDeque<>();
        if (top.isDirectory()) {
            left.add(path);
        }
        while (!left.isEmpty()) {
            FilePath directory = left.remove();
            Children children = new Children(trees.bdt(), TreePair.below(tree, directory));
            for (FileStatus child = children.next(); child != null; child = children.next()) {
                FilePath at = directory.child(child.path().name());
                all.put(at, child);
                if (child.isDirectory()) {
                    left.add(at);
                }
            }
        }
    }

    /** Returns the old path of each renamed entry, by its new one. */
    private Map<FilePath, FilePath> renames() {
        // A file may have several names.
        Map<Long, Deque<FilePath>> byId = new HashMap<>();
        gone.forEach((path, status) -> byId.computeIfAbsent(status.version().id(), first -> new ArrayDeque<>(1))
                .add(path));
        Map<FilePath, FilePath> renamed = new LinkedHashMap<>();
        come.forEach((path, status) -> {
            Deque<FilePath> from = byId.get(status.version().id());
            if (from != null && !from.isEmpty()) {
                renamed.put(path, from.remove());
            }
        });
        return renamed;
    }

    private void addRename(FilePath to, FilePath from, Map<FilePath, FilePath> renamed) throws IOException {
        FilePath above = renamed.get(to.parent().orElse(FilePath.ROOT));
        boolean movedAlong = above != null && above.child(to.name()).equals(from);
        if (!movedAlong) {
            found.add(new Difference(Difference.Kind.RENAMED, to, Optional.of(from)));
        }
        if (trees.differ(of(gone, from), of(come, to))) {
            found.add(Difference.of(Difference.Kind.MODIFIED, to));
        }
    }

    private static FileStatus of(Map<FilePath, FileStatus> all, FilePath path) {
        return Objects.requireNonNull(all.get(path));
    }

    /** Returns whether a directory above it stands for it. */
    private static boolean isBelowOther(FilePath path, Map<FilePath, FileStatus> all, Map<FilePath, FilePath> renamed) {
        FilePath above = path.parent().orElse(FilePath.ROOT);
        return all.containsKey(above) && !renamed.containsKey(above);
    }
}
