// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

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
 * The roots of all containers of a registry, read-only, each at {@code NAME/root}; engines mount overlays over them.
 * Containers of one image have its files in the kernel's page cache once.
 *
 * @param master address of the BDT master
 * @param registry the directory of the registry in the mount
 * @param options of the mount
 * @param spec where it is mounted; read-only, and root's alone
 * @param jvmOptions of the server's process
 */
public record RootsMount(
        String master, FilePath registry, Map<String, String> options, MountSpec spec, List<String> jvmOptions) {
    /**
     * Options of the JVM for a server of starts. It starts containers of its own before the first real one, see {@code
     * Rehearsal}, and its code is compiled by the first compiler only. Both compilers took more of the processors in a
     * start than all else.
     */
    public static final List<String> FOR_STARTS =
            List.of("-D" + RootsServerMain.REHEARSES + "=true", "-XX:TieredStopAtLevel=1");
    /**
     * The heap of such a server, nearly all of it from the beginning. A collection that takes new memory from the machine stopped the first
     * reader of a compiler for up to 0.4 s.
     */
    public static final List<String> HEAP = List.of("-Xmx512m", "-Xms448m", "-Xmn64m", "-XX:+AlwaysPreTouch");
    /** A file in the state directory that is there once the server has rehearsed. */
    public static final String REHEARSED = "rehearsed";

    /** The time for which the kernel trusts names: containers do not change a root that is the base of an overlay. */
    private static final Duration VALID = Duration.ofHours(1);

    public RootsMount {
        if (!spec.readOnly() || !spec.access().equals(MountAccessOptions.TREES)) {
            throw new IllegalArgumentException("a mount of roots is read-only, and root's alone");
        }
    }

    /** Mounts them, and returns when they are there. */
    public FuseMount start(RegistryFiles files) throws IOException, InterruptedException {
        FilePath containers = new Layout(registry).containers();
        VectorResult made = files.apply(new VectorBuilder()
                .add(new Operation.MakeDirectory(containers, LayerTrees.DIRECTORY, true))
                .build());
        if (made instanceof VectorResult.Refused refused) {
            throw new IOException("%s cannot be made: %s".formatted(containers, refused.reason()));
        }
        return new PosixMount(
                        master, containers, options, VALID, spec, jvmOptions, OwnerMap.TREES, RootsServerMain.class)
                .start();
    }
}
