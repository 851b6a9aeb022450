// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.Mode;
import io.packing.fuse.RehearsalCalls;
import io.packing.fuse.posix.TreeSource;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The calls that the source of a tree receives. */
@Timeout(120)
class WatchedReadsTest {
    private static final FilePath ROOT = new FilePath("/roots");
    private static final int MOST = 1 << 17;

    @TempDir
    private Path home;

    private final List<String> read = new ArrayList<>();

    private static void write(MountRig rig, String name, String text) throws IOException {
        try (PackingOutput out = rig.files().create(ROOT.child(name), new CreateOptions("0", "0", 0644, true, false))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void readsOfFilesAndTargetsOfLinksAreTold() throws Exception {
        TreeSource source = new TreeSource() {
            @Override
            public boolean watchesReads() {
                return true;
            }

            @Override
            public void wasRead(FilePath path, long offset, int length) {
                read.add("%s %d %d".formatted(path, offset, length));
            }
        };
        try (MountRig rig = MountRig.start(home);
                GrpcBdts master = GrpcBdts.connect(rig.masterAddress(), Duration.ofMinutes(1));
                RemotePackingFileSystem mount = rig.client(master)) {
            write(rig, "file", "12345");
            write(rig, "link", "file");
            AttributeChange type =
                    new AttributeChange(Optional.of("0"), Optional.of("0"), OptionalInt.of(Mode.SYMLINK | 0777));
            assertThat(rig.files()
                            .bdt()
                            .apply(OperationVector.of(new Operation.SetAttributes(ROOT.child("link"), type))))
                    .isInstanceOf(VectorResult.Applied.class);
            try (RehearsedDirectory directory =
                    RehearsedDirectory.open(mount, ROOT, source, home.resolve("state"), System::nanoTime)) {
                RehearsalCalls calls = new RehearsalCalls(directory.files(), MOST);
                long file = calls.lookup(FuseFileSystem.ROOT, "file").orElseThrow();
                assertThat(calls.read(file, 2, MOST)).isEqualTo(3);
                long link = calls.lookup(FuseFileSystem.ROOT, "link").orElseThrow();
                Caller caller = new Caller(0, 0, 1, false, () -> false);
                assertThat(directory.files().readLink(caller, link)).isEqualTo("file".getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(read).containsExactly("/roots/file 2 3", "/roots/link 0 4");
    }
}
