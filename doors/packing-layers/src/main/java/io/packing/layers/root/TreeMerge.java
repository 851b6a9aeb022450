// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Mode;
import io.packing.layers.tree.ExtendedAttributes;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Puts the tree of a layer over a tree, as an engine that unpacks it does (OCI image specification 1.1, "applying
 * changesets"). Costs operations for the entries of the layer; the tree below it is there already, and no byte is
 * copied. Confined to one thread.
 */
final class TreeMerge {
    /** One vector is one record of the master's log. */
    private static final int OPERATIONS = 4_000;

    private final RegistryFiles files;
    private final Tree trees;
    private final ExtendedAttributes extended;
    private final List<Operation> operations = new ArrayList<>();
    /** The path of each file of the layer that has several names, by its id. */
    private final Map<Long, FilePath> linked = new HashMap<>();

    private final MergeBudget budget;

    private TreeMerge(RegistryFiles files, Tree trees, ExtendedAttributes extended, MergeBudget budget) {
        this.budget = budget;
        this.files = files;
        this.trees = trees;
        this.extended = extended;
    }

    /**
     * Merges a layer.
     *
     * @param upper the tree of the layer, with its extended attributes
     * @param lower the tree to change
     * @param budget of all merges of the image
     */
    static void merge(
            RegistryFiles files,
            Tree trees,
            FilePath upper,
            ExtendedAttributes extended,
            FilePath lower,
            MergeBudget budget)
            throws IOException {
        TreeMerge merge = new TreeMerge(files, trees, extended, budget);
        FileStatus root = files.stat(upper).orElseThrow(() -> new IOException(upper + " is gone"));
        boolean had =
                files.stat(lower).map(there -> there.extras().hasExtended()).orElse(false);
        if (!extended.isImplied("")) {
            merge.operations.add(
                    new Operation.SetAttributes(lower, of(root.attributes()).with(merge.own("", root, had))));
        }
        merge.directory(upper, "", lower, true);
        merge.apply();
    }

    /**
     * Removes the whiteouts of an image's lowest layer, which hide nothing.
     *
     * @param root a clone of the layer's tree
     * @param extended of the layer
     * @param budget of all merges of the image
     */
    static void dropWhiteouts(
            RegistryFiles files, Tree trees, FilePath root, ExtendedAttributes extended, MergeBudget budget)
            throws IOException {
        TreeMerge merge = new TreeMerge(files, trees, extended, budget);
        merge.dropWhiteouts(root, "");
        merge.apply();
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "/" + name;
    }

    private void dropWhiteouts(FilePath directory, String path) throws IOException {
        List<FileStatus> gone = new ArrayList<>();
        List<FilePath> below = new ArrayList<>();
        trees.each(directory, entry -> {
            budget.entry();
            boolean isForMarks =
                    extended.isOnlyForMarks(child(path, entry.path().name()));
            if (entry.isDirectory() && !isForMarks) {
                below.add(entry.path());
            } else if (isForMarks || isWhiteout(entry)) {
                gone.add(entry);
            }
        });
        if (!gone.isEmpty()) {
            FileStatus before = files.stat(directory).orElseThrow(() -> new IOException(directory + " is gone"));
            gone.forEach(entry -> operations.add(new Operation.Delete(entry.path(), true)));
            operations.add(new Operation.SetAttributes(
                    directory,
                    AttributeChange.ofMtime(before.attributes().mtimeMillis())
                            .with(RareAttributeChange.NONE.withTimes(before.extras()))));
        }
        if (operations.size() >= OPERATIONS) {
            apply();
        }
        for (FilePath each : below) {
            dropWhiteouts(each, child(path, each.name()));
        }
    }

    private static AttributeChange of(FileAttributes has) {
        return new AttributeChange(
                Optional.of(has.owner()),
                Optional.of(has.group()),
                OptionalInt.of(has.mode()),
                OptionalLong.of(has.mtimeMillis()));
    }

    /**
     * Returns the extra attributes of the layer's entry at a path.
     *
     * @param had whether the entry below it has extra attributes
     */
    private RareAttributeChange own(String path, FileStatus entry, boolean had) {
        Map<String, ExtendedValue> own = ExtendedAttributes.own(extended.of(path));
        RareAttributeChange change =
                own.isEmpty() && !had ? RareAttributeChange.NONE : RareAttributeChange.exactly(own);
        return change.withTimes(entry.extras());
    }

    private void directory(FilePath upper, String path, FilePath lower, boolean isThere) throws IOException {
        Map<String, FileStatus> below = new HashMap<>();
        if (isThere) {
            trees.each(lower, entry -> {
                budget.entry();
                below.put(entry.path().name(), entry);
            });
        }
        if (extended.isOpaque(path)) {
            for (FileStatus hidden : below.values()) {
                operations.add(new Operation.Delete(hidden.path(), true));
            }
            below.clear();
        }
        List<FileStatus> entries = new ArrayList<>();
        trees.each(upper, entry -> {
            budget.entry();
            entries.add(entry);
        });
        for (FileStatus entry : entries) {
            String name = entry.path().name();
            entry(entry, child(path, name), lower.child(name), below.get(name));
            if (operations.size() >= OPERATIONS) {
                apply();
            }
        }
    }

    private void entry(FileStatus entry, String path, FilePath at, @Nullable FileStatus below) throws IOException {
        if (extended.isOnlyForMarks(path) && (below == null || !below.isDirectory())) {
            return;
        }
        boolean isWhiteout = isWhiteout(entry);
        boolean stays = below != null && !isWhiteout && below.isDirectory() == entry.isDirectory();
        if (below != null && !stays) {
            operations.add(new Operation.Delete(at, true));
        }
        if (isWhiteout) {
            return;
        }
        FileAttributes has = entry.attributes();
        FilePath first =
                entry.extras().isLinked() ? linked.putIfAbsent(entry.version().id(), at) : null;
        if (first != null) {
            if (stays) {
                operations.add(new Operation.Delete(at, false));
            }
            operations.add(new Operation.Link(first, at));
            return;
        }
        if (!entry.isDirectory()) {
            AttributeChange change = AttributeChange.ofMtime(has.mtimeMillis())
                    .with(own(path, entry, entry.extras().hasExtended()));
            operations.add(new Operation.CloneFile(entry.path(), at, true, change));
            return;
        }
        if (!stays) {
            operations.add(new Operation.MakeDirectory(
                    at, new DirectoryAttributes(has.owner(), has.group(), has.mode()), false));
        }
        if (!stays || !extended.isImplied(path)) {
            boolean had = stays && below != null && below.extras().hasExtended();
            operations.add(new Operation.SetAttributes(at, of(has).with(own(path, entry, had))));
        }
        directory(entry.path(), path, at, stays);
    }

    private boolean isWhiteout(FileStatus entry) throws IOException {
        FileAttributes has = entry.attributes();
        if (entry.isDirectory() || (has.mode() & Mode.TYPE) != Mode.CHARACTER_DEVICE || has.length() > 1) {
            return false;
        }
        // The bytes of a device are its number; none are 0.
        return has.length() == 0 || FileBytes.all(files.open(entry.path()), 1)[0] == '0';
    }

    private void apply() throws IOException {
        if (operations.isEmpty()) {
            return;
        }
        if (files.apply(new OperationVector(List.of(), operations)) instanceof VectorResult.Refused refused) {
            throw new IOException(
                    "%s is refused as %s; try again".formatted(operations.get(refused.index()), refused.reason()));
        }
        operations.clear();
    }
}
