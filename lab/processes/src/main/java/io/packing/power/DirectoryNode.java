// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A directory: its entries as processes see them, those on stable storage, and the changes between the two. */
final class DirectoryNode implements DiskNode {
    private final TreeMap<String, DiskNode> entries = new TreeMap<>();
    private TreeMap<String, DiskNode> forced = new TreeMap<>();
    /** The changes since the last force. Each adds or removes entries at once. */
    private final List<Map<String, Optional<DiskNode>>> since = new ArrayList<>();
    /** The sorted store whose engine has its files here. */
    private Optional<PowerStore> table = Optional.empty();
    /** The engine's files were removed, as the directory was: a loss may bring the directory back without them. */
    private boolean removed;

    Map<String, DiskNode> entries() {
        return entries;
    }

    /** Adds all files below this directory, by their paths. */
    void files(String path, Map<String, FileNode> into) {
        entries.forEach((name, node) -> {
            String at = path + "/" + name;
            if (node instanceof DirectoryNode directory) {
                directory.files(at, into);
            } else if (node instanceof FileNode file) {
                into.put(at, file);
            }
        });
    }

    void change(Map<String, Optional<DiskNode>> change) {
        since.add(change);
        apply(entries, change);
    }

    void force() {
        forced = new TreeMap<>(entries);
        since.clear();
    }

    /** Returns the sorted store of this directory, which is empty at first. */
    PowerStore table() {
        PowerStore there = table.orElseGet(PowerStore::new);
        table = Optional.of(there);
        return there;
    }

    /** Notes that all that was in the directory is removed. */
    void remove() {
        removed = true;
    }

    @Override
    public DirectoryNode afterLoss(Loss loss, RandomGenerator random) {
        TreeMap<String, DiskNode> left = new TreeMap<>(forced);
        int kept = since.isEmpty() ? 0 : random.nextInt(since.size() + 1);
        for (int i = 0; i < since.size(); i++) {
            boolean there = switch (loss) {
                case ALL -> false;
                case NOTHING, ZEROS -> true;
                case TORN -> i < kept;
                case REORDERED -> random.nextBoolean();
            };
            if (there) {
                apply(left, since.get(i));
            }
        }
        DirectoryNode node = new DirectoryNode();
        // A file that has two names for a moment stays one file.
        Map<DiskNode, DiskNode> same = new HashMap<>();
        left.forEach((name, entry) ->
                node.entries.put(name, same.computeIfAbsent(entry, each -> each.afterLoss(loss, random))));
        if (!removed || random.nextBoolean()) {
            node.table = table.map(store -> store.afterLoss(loss, random));
        }
        node.force();
        return node;
    }

    private static void apply(Map<String, DiskNode> to, Map<String, Optional<DiskNode>> change) {
        new HashMap<>(change).forEach((name, node) -> {
            if (node.isPresent()) {
                to.put(name, node.get());
            } else {
                to.remove(name);
            }
        });
    }
}
