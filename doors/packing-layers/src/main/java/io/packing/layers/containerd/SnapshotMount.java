// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A mount that containerd makes where a container wants it.
 *
 * @param type of the file system
 * @param source of the mount
 * @param options as {@code mount -o} takes them
 */
public record SnapshotMount(String type, String source, List<String> options) {
    public SnapshotMount {
        options = List.copyOf(options);
    }

    static SnapshotMount bind(Path directory, boolean readOnly) {
        return new SnapshotMount("bind", directory.toString(), List.of(readOnly ? "ro" : "rw", "rbind"));
    }

    /** @param lowers from the highest to the lowest */
    static SnapshotMount overlay(List<Path> lowers, List<String> others) {
        return overlay(joined(lowers), others);
    }

    private static SnapshotMount overlay(String lowers, List<String> others) {
        List<String> options = new ArrayList<>(others);
        options.add("lowerdir=" + lowers);
        return new SnapshotMount("overlay", "overlay", options);
    }

    private static String joined(List<Path> lowers) {
        return lowers.stream().map(Path::toString).collect(Collectors.joining(":"));
    }

    /**
     * Returns an overlay of a registry's root. Changes of attributes and renames copy no byte. The options are equal whether the root has a
     * metadata image or not, since an upper directory that was written with them can be read with them only.
     *
     * @param above the directories above the root, from the highest to the lowest
     */
    static SnapshotMount ofRoot(List<Path> above, ChainRoot root, List<String> others) {
        List<String> options = new ArrayList<>(others);
        options.add("redirect_dir=on");
        options.add("metacopy=on");
        List<Path> lowers = new ArrayList<>(above);
        lowers.add(root.metadata().orElse(root.tree()));
        // Two colons stand before a layer of bytes alone.
        return overlay(joined(lowers) + (root.metadata().isPresent() ? "::" + root.tree() : ""), options);
    }
}
