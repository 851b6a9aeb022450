// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.fuse.mount.KernelMountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The root of a container by overlayfs, as engines make it: read-only trees below, and a directory of its own for what it writes.
 *
 * @param directory of this container alone
 * @param root where it is mounted
 */
public record OverlayMount(Path directory, Path root) {
    /**
     * Mounts one.
     *
     * @param directory of this container alone; it is made
     * @param lower the trees, the uppermost first
     */
    public static OverlayMount of(Path directory, List<Path> lower) throws IOException, InterruptedException {
        Path upper = Files.createDirectories(directory.resolve("upper"));
        Path work = Files.createDirectories(directory.resolve("work"));
        Path root = Files.createDirectories(directory.resolve("root"));
        String options = "lowerdir=%s,upperdir=%s,workdir=%s"
                .formatted(lower.stream().map(Path::toString).collect(Collectors.joining(":")), upper, work);
        HostPrograms.run(directory, List.of("mount", "-t", "overlay", "overlay", "-o", options, root.toString()));
        return new OverlayMount(directory, root);
    }

    void unmount() throws IOException, InterruptedException {
        HostPrograms.run(directory, List.of("umount", root.toString()));
    }

    /** Unmounts it also while files are open, as those of a container that did not end. */
    public void discard() throws IOException, InterruptedException {
        KernelMountTable.unmount(root);
    }
}
