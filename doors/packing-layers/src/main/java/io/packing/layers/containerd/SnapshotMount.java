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
        List<String> options = new ArrayList<>(others);
        options.add("lowerdir=" + lowers.stream().map(Path::toString).collect(Collectors.joining(":")));
        return new SnapshotMount("overlay", "overlay", options);
    }
}
