// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.node;

import io.packing.blob.FilePath;
import io.packing.csi.volume.CsiId;
import io.packing.fuse.mount.MountSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The part of the driver's configuration that file systems of a node need. */
public interface MountTerms {
    /** The beginning of the sources of all volumes. */
    String SOURCES = "packing-csi:";

    /** Returns the masters' addresses. */
    String masters();

    /** Returns the options of the mount, with those that lead to its store. */
    Map<String, String> options() throws IOException;

    /** Returns the directory of the mount that has a volume's files. */
    FilePath data(CsiId volume);

    /** Returns the options of the JVM that serves a mount. */
    List<String> jvmOptions(MountSpec spec);

    /** Returns the source that the kernel's table of mounts shows for a volume. Other addresses of the masters do not change it. */
    static String source(CsiId volume) {
        return SOURCES + volume;
    }
}
