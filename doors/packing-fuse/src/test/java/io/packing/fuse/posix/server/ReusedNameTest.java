// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.Entry;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.posix.TreeSource;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A name in the mounted directory that another directory gets, as when a container is made again. */
@Timeout(120)
class ReusedNameTest {
    private static final FilePath ROOT = new FilePath("/roots");
    private static final FilePath ONE = ROOT.child("one");
    private static final Caller CALLER = new Caller(0, 0, 1, false, () -> false);

    @TempDir
    private Path home;

    private final List<String> replaced = new ArrayList<>();
    private TreeSource.Ahead ahead = new TreeSource.Ahead() {
        @Override
        public void learn(FilePath directory) {}

        @Override
        public void find(List<FilePath> paths) {}
    };

    private final TreeSource source = new TreeSource() {
        @Override
        public void begin(Ahead learning) {
            ahead = learning;
        }

        @Override
        public boolean makes(FilePath path) {
            return path.parent().orElseThrow().equals(ROOT);
        }

        @Override
        public boolean reusesNames() {
            return true;
        }

        @Override
        public void wasReplaced(FilePath path) {
            replaced.add(path.value());
        }
    };

    private static void write(MountRig rig, FilePath path, String text) throws IOException {
        try (PackingOutput out = rig.files().create(path, new CreateOptions("0", "0", 0644, true, false))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String read(FuseFileSystem files, long node) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(100);
        files.read(CALLER, node, 0, 0, bytes);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    @Test
    void showsTheFilesOfWhoeverHasItNow() throws Exception {
        try (MountRig rig = MountRig.start(home);
                GrpcBdts master = GrpcBdts.connect(rig.masterAddress(), Duration.ofMinutes(1));
                RemotePackingFileSystem mount = rig.client(master)) {
            write(rig, ONE.child("root").child("file"), "old");
            write(rig, ONE.child("root").child("gone"), "old");
            rig.files().flush();
            try (RehearsedDirectory directory =
                    RehearsedDirectory.open(mount, ROOT, source, home.resolve("state"), System::nanoTime)) {
                FuseFileSystem files = directory.files();
                Entry one = files.lookup(CALLER, FuseFileSystem.ROOT, "one");
                assertThat(one.nameValid()).as("another one may get it").isZero();
                long root = files.lookup(CALLER, one.node(), "root").node();
                Entry file = files.lookup(CALLER, root, "file");
                assertThat(file.nameValid()).isPositive();
                assertThat(read(files, file.node())).isEqualTo("old");
                ahead.find(List.of(
                        ONE.child("root").child("gone"), ONE.child("root").child("none")));
                assertThat(replaced).containsExactly("/roots/one");

                assertThat(rig.files().bdt().apply(OperationVector.of(new Operation.Delete(ONE, true))))
                        .isInstanceOf(VectorResult.Applied.class);
                write(rig, ONE.child("root").child("file"), "new bytes");
                write(rig, ONE.child("root").child("none"), "there");
                rig.files().flush();
                Entry other = files.lookup(CALLER, FuseFileSystem.ROOT, "one");
                assertThat(other.node()).isNotEqualTo(one.node());
                assertThat(replaced).containsExactly("/roots/one", "/roots/one");
                long otherRoot = files.lookup(CALLER, other.node(), "root").node();
                Entry otherFile = files.lookup(CALLER, otherRoot, "file");
                assertThat(otherFile.attributes().size()).isEqualTo(9);
                assertThat(read(files, otherFile.node())).isEqualTo("new bytes");
                assertThat(files.lookup(CALLER, otherRoot, "none").node()).isPositive();
                assertThat(files.lookup(CALLER, otherRoot, "gone").node()).isZero();

                assertThat(rig.files().bdt().apply(OperationVector.of(new Operation.Delete(ONE, true))))
                        .isInstanceOf(VectorResult.Applied.class);
                assertThat(files.lookup(CALLER, FuseFileSystem.ROOT, "one").node())
                        .isZero();
                assertThat(replaced).hasSize(3);
            }
        }
    }
}
