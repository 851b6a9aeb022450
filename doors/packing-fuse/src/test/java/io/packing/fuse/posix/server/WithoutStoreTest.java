// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.seed.Seed;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mounts whose server reads through workers, over a store that no process can open any more. */
@Timeout(300)
final class WithoutStoreTest {
    private static final Map<String, String> THROUGH_WORKERS = Map.of("packing.read.through", "workers");

    @TempDir
    private Path home;

    private final byte[] large = new byte[9_000_000];

    private static void write(MountRig rig, String path, byte[] bytes) throws IOException {
        try (PackingOutput out =
                rig.files().create(new FilePath(path), new CreateOptions("#0", "#0", 0644, true, false))) {
            out.write(bytes);
        }
    }

    @Test
    void programsReadAndWriteThroughWorkers() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        Seed.random().nextBytes(large);
        try (MountRig rig = MountRig.start(home)) {
            write(rig, "/d/large", large);
            write(rig, "/d/small", new byte[] {1, 2, 3});
            VectorResult cloned = rig.files()
                    .bdt()
                    .apply(OperationVector.of(
                            new Operation.CreateFile(
                                    new FilePath("/d/clone"),
                                    new AttributeChange(Optional.of("#0"), Optional.of("#0"), OptionalInt.of(0644)),
                                    false),
                            new Operation.CloneRange(
                                    new ByteRange(new FilePath("/d/large"), 1_000_000, 500_000),
                                    new FilePath("/d/clone"),
                                    100_000)));
            assertThat(cloned).isInstanceOf(VectorResult.Applied.class);
            rig.files().flush();
            for (boolean readOnly : new boolean[] {true, false}) {
                try (FuseMount mount = withoutStore(() -> rig.mount("m" + readOnly, readOnly, THROUGH_WORKERS))) {
                    reads(mount.directory());
                    if (!readOnly) {
                        writes(rig, mount.directory());
                    }
                }
            }
            assertThatThrownBy(
                            () -> withoutStore(() -> rig.mount("direct", true)).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("there is no directory " + home.resolve("store"));
        }
    }

    private interface Start {
        FuseMount mount() throws Exception;
    }

    /** Starts a mount while the store is gone, which its workers and its master have opened before. */
    private FuseMount withoutStore(Start start) throws Exception {
        Path store = home.resolve("store");
        Path away = Files.move(store, home.resolve("away"));
        try {
            return start.mount();
        } finally {
            Files.move(away, store);
        }
    }

    private void reads(Path root) throws IOException {
        assertThat(Files.readAllBytes(root.resolve("d/large"))).isEqualTo(large);
        assertThat(Files.readAllBytes(root.resolve("d/small"))).containsExactly(1, 2, 3);
        byte[] clone = new byte[600_000];
        System.arraycopy(large, 1_000_000, clone, 100_000, 500_000);
        assertThat(Files.readAllBytes(root.resolve("d/clone"))).isEqualTo(clone);
    }

    private void writes(MountRig rig, Path root) throws IOException {
        Path written = Files.write(root.resolve("written"), large);
        assertThat(Files.readAllBytes(written)).isEqualTo(large);
        // A change of some bytes leaves the others in the blob.
        try (RandomAccessFile file =
                new RandomAccessFile(root.resolve("d/large").toFile(), "rw")) {
            file.seek(5_000_000);
            file.write(new byte[1_000]);
        }
        byte[] changed = large.clone();
        Arrays.fill(changed, 5_000_000, 5_001_000, (byte) 0);
        assertThat(Files.readAllBytes(root.resolve("d/large"))).isEqualTo(changed);
        assertThat(rig.files()
                        .bdt()
                        .stat(new FilePath("/written"))
                        .orElseThrow()
                        .attributes()
                        .length())
                .isEqualTo(large.length);
    }
}
