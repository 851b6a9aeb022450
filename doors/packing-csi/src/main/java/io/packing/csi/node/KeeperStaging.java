// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.node;

import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiRefusal;
import io.packing.durable.OwnerOnly;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.fuse.posix.server.PosixServerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * File systems whose keepers this process starts, each in a session of its own: they outlive this process. A volume has a state directory,
 * which its next server on this node goes on with.
 */
public final class KeeperStaging implements VolumeStaging {
    /** In the state directory of a mount: the lock that its keeper and its server hold. */
    private static final String LOCK_FILE = "keeper.lock";

    private static final int MOST_WAIT_SECONDS = 60;

    private final MountTerms terms;
    private final Path states;

    /** @param states a directory of the driver, for a state directory of each volume */
    public KeeperStaging(MountTerms terms, Path states) {
        this.terms = terms;
        this.states = states;
    }

    @Override
    public void mount(CsiId volume, Path directory, MountFlags flags) throws IOException, InterruptedException {
        Path unused = OwnerOnly.directory(states);
        MountSpec spec = new MountSpec(
                directory, state(volume), MountTerms.source(volume), flags.readOnly(), MountAccessOptions.FILES, true);
        List<String> jvm = new ArrayList<>(terms.jvmOptions(spec));
        if (flags.writeBehind()) {
            jvm.add("-D" + PosixServerMain.WRITE_BEHIND + "=true");
        }
        FuseMount mounted = new PosixMount(
                        terms.masters(), terms.data(volume), terms.options(), flags.valid(), spec, jvm, OwnerMap.NAMES)
                .start();
        if (!mounted.directory().equals(spec.directory())) {
            throw new IllegalStateException("mounted at " + mounted.directory());
        }
    }

    private Path state(CsiId volume) {
        return states.resolve(volume.key().value());
    }

    @Override
    public void unmount(CsiId volume, Path directory) throws IOException, InterruptedException {
        KernelMountTable.unmount(directory);
        Path lock = state(volume).resolve(LOCK_FILE);
        if (!Files.exists(lock)) {
            return;
        }
        // The server publishes what open files had. Another node may mount the volume after that.
        int free = new ProcessBuilder("flock", "-w", Integer.toString(MOST_WAIT_SECONDS), lock.toString(), "true")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (free != 0) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.ABORTED,
                    "the volume %s is unmounted from %s, and its server still has it after %d s: it publishes, or the volume is mounted elsewhere on this node"
                            .formatted(volume, directory, MOST_WAIT_SECONDS));
        }
    }
}
