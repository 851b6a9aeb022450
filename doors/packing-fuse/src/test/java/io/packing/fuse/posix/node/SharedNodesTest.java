// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.posix.server.KilledServerTest;
import io.packing.fuse.posix.server.MountRig;
import io.packing.seed.Seed;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clones of a tree on a read-only mount: the kernel has the pages of a file once, under any name. */
@Timeout(300)
@Tag("process")
class SharedNodesTest {
    private static final int BYTES = 1 << 20;
    private static final FilePath ORIGINAL = new FilePath("/original");

    private final Random random = Seed.random();
    private final byte[] content = new byte[BYTES];

    @TempDir
    private Path home;

    private MountRig rig;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        random.nextBytes(content);
        rig = MountRig.start(home);
        write(ORIGINAL.child("lib").child("f"), content);
        write(ORIGINAL.child("lib").child("other"), content);
        for (String clone : new String[] {"a", "b", "c"}) {
            apply(new Operation.CloneDirectory(ORIGINAL, new FilePath("/" + clone)));
        }
    }

    @AfterEach
    void stop() throws IOException {
        if (rig != null) {
            rig.close();
        }
    }

    private void write(FilePath path, byte[] bytes) throws IOException {
        try (PackingOutput out = rig.files().create(path, new CreateOptions("0", "0", 0644, true, false))) {
            out.write(bytes);
        }
    }

    private void apply(Operation operation) throws IOException {
        assertThat(rig.files().bdt().apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private static long inode(Path file) throws IOException {
        return (Long) Files.getAttribute(file, "unix:ino");
    }

    /** Returns the bytes of a file in the kernel's cache. */
    private static long cached(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("fincore", "--bytes", "--noheadings", "--output", "res", file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).isZero();
        return Long.parseLong(said);
    }

    @Test
    void whatIsReadUnderOneNameIsCachedUnderAll() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/fincore")), "no fincore: apt-get install util-linux");
        try (FuseMount mount = rig.mount("m", true)) {
            Path at = mount.directory();
            assertThat(Files.readAllBytes(at.resolve("a/lib/f"))).isEqualTo(content);
            assertThat(cached(at.resolve("b/lib/f"))).isEqualTo(BYTES);
            assertThat(inode(at.resolve("b/lib/f"))).isEqualTo(inode(at.resolve("a/lib/f")));
            assertThat(cached(at.resolve("b/lib/other"))).as("another file").isZero();
        }
        try (FuseMount mount = rig.mount("w", false)) {
            Path at = mount.directory();
            assertThat(Files.readAllBytes(at.resolve("a/lib/f"))).isEqualTo(content);
            assertThat(cached(at.resolve("b/lib/f")))
                    .as("where files are written")
                    .isZero();
        }
    }

    @Test
    void aCloneThatIsChangedOrGoneLeavesTheOthersAlone() throws Exception {
        try (FuseMount mount = rig.mount("m", true)) {
            Path at = mount.directory();
            for (String clone : new String[] {"a", "b", "c"}) {
                assertThat(Files.size(at.resolve(clone).resolve("lib/f"))).isEqualTo(BYTES);
            }
            apply(new Operation.Delete(new FilePath("/a"), true));
            assertThat(Files.readAllBytes(at.resolve("b/lib/f"))).isEqualTo(content);
        }
        apply(new Operation.SetAttributes(
                new FilePath("/b/lib/f"),
                new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(0400))));
        try (FuseMount mount = rig.mount("again", true)) {
            Path at = mount.directory();
            assertThat(inode(at.resolve("b/lib/f"))).isNotEqualTo(inode(at.resolve("c/lib/f")));
            assertThat((Integer) Files.getAttribute(at.resolve("b/lib/f"), "unix:mode") & 07777)
                    .isEqualTo(0400);
            assertThat(Files.readAllBytes(at.resolve("c/lib/f"))).isEqualTo(content);
        }
    }

    @Test
    void aServerThatGoesOnKnowsAllNames() throws Exception {
        try (FuseMount mount = rig.mount("m", true)) {
            Path at = mount.directory();
            long inode = inode(at.resolve("a/lib/f"));
            assertThat(inode(at.resolve("b/lib/f"))).isEqualTo(inode);
            KilledServerTest.server(mount).destroyForcibly();
            assertThat(Files.readAllBytes(at.resolve("b/lib/f"))).isEqualTo(content);
            assertThat(inode(at.resolve("c/lib/f"))).isEqualTo(inode);
            assertThat(Files.readAllBytes(at.resolve("c/lib/f"))).isEqualTo(content);
        }
    }
}
