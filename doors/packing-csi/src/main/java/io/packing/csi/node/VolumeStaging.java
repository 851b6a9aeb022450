// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.node;

import io.packing.csi.volume.CsiId;
import java.io.IOException;
import java.nio.file.Path;

/** The place where file systems of volumes are started and ended: this process, or one that outlives it. */
public interface VolumeStaging {
    /** Mounts a volume at a directory, where it is not mounted. Returns when the file system answers. */
    void mount(CsiId volume, Path directory, MountFlags flags) throws IOException, InterruptedException;

    /** Unmounts a volume, and waits until all that was written is published. A directory that is not mounted is no error. */
    void unmount(CsiId volume, Path directory) throws IOException, InterruptedException;
}
