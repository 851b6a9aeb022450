// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import io.packing.bdt.Operation;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The layers of a registry's images, to be mounted as an additional layer store of containers/storage.
 *
 * @param master address of the BDT master
 * @param registry the directory of the registry in the mount
 * @param options of the mount
 * @param spec where it is mounted; read-only, and root's alone
 * @param jvmOptions of the server's process
 */
public record LayerStoreMount(
        String master, FilePath registry, Map<String, String> options, MountSpec spec, List<String> jvmOptions) {
    /** Layers do not change. */
    private static final Duration VALID = Duration.ofHours(1);

    public LayerStoreMount {
        if (!spec.readOnly() || !spec.access().equals(MountAccessOptions.TREES)) {
            throw new IllegalArgumentException("a layer store is read-only, and root's alone");
        }
    }

    /** Mounts it, and returns when it answers. */
    public FuseMount start(RegistryFiles files) throws IOException, InterruptedException {
        FilePath layers = new Layout(registry).layers();
        VectorResult made = files.apply(new VectorBuilder()
                .add(new Operation.MakeDirectory(layers, LayerTrees.DIRECTORY, true))
                .build());
        if (made instanceof VectorResult.Refused refused) {
            throw new IOException("%s cannot be made: %s".formatted(layers, refused.reason()));
        }
        return new PosixMount(master, layers, options, VALID, spec, jvmOptions, OwnerMap.TREES, LayerServerMain.class)
                .start();
    }
}
