// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Durability;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.Entry;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.PosixOptions;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel forgets nodes, and looks their names up again at the same moment. */
@Timeout(120)
class ForgottenNodesTest {
    private static final int THREADS = 4;
    private static final int LOOKUPS = 2_000;
    private static final String NAME = "f";

    @TempDir
    private Path home;

    private static Caller caller() {
        return new Caller(0, 0, 1, false, () -> false);
    }

    /** Looks up and forgets like a kernel that has no other use of the file. */
    private static Void lookUpAndForget(MountedFiles files) throws FuseException, IOException {
        for (int i = 0; i < LOOKUPS; i++) {
            Entry entry = files.lookup(caller(), MountedFiles.ROOT, NAME);
            assertThat(files.attributes(caller(), entry.node())).isNotNull();
            files.forget(entry.node(), 1);
        }
        return null;
    }

    @Test
    void whatWasLookedUpIsThereUntilItIsForgotten() throws Exception {
        try (MountRig rig = MountRig.start(home);
                GrpcBdts master = GrpcBdts.connect(rig.masterAddress(), Duration.ofMinutes(1));
                RemotePackingFileSystem mount = rig.client(master)) {
            assertThat(mount.bdt().mkdir(FilePath.ROOT.child(NAME), new DirectoryAttributes("0", "0", 0755), false))
                    .isEqualTo(Outcome.DONE);
            PosixOptions settings = new PosixOptions(
                    true,
                    Duration.ofHours(1),
                    PosixOptions.DRAFT_BYTES,
                    PosixOptions.DRAFT_AGE,
                    Files.createDirectory(home.resolve("state")),
                    false,
                    OwnerMap.NAMES);
            MountedFiles files = new MountedFiles(new OpenMount(
                    mount,
                    Durability.SYNCED,
                    FilePath.ROOT,
                    settings,
                    TreeSource.NONE,
                    Clock.systemUTC(),
                    System::nanoTime));
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try {
                List<Future<Void>> all = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    all.add(threads.submit(() -> lookUpAndForget(files)));
                }
                for (Future<Void> each : all) {
                    each.get();
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }
}
