// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.seed.Seed;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that programs remove from a mount that writes behind. */
@Timeout(300)
@Tag("process")
class RemovedBehindTest {
    private static final int FILES = 300;

    @TempDir
    private Path home;

    private MountRig rig;
    private FuseMount mount;
    private Path root;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = MountRig.start(home);
        mount = rig.mount("m", FilePath.ROOT, false, "-D" + PosixServerMain.WRITE_BEHIND + "=true");
        root = mount.directory();
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        if (rig != null) {
            try (MountRig closing = rig) {
                mount.close();
            }
        }
    }

    private List<String> inTable(String directory) throws IOException {
        return rig.files().bdt().list(new FilePath(directory), "", 1_000).orElseThrow().stream()
                .map(FileStatus::path)
                .map(FilePath::name)
                .toList();
    }

    private static List<String> listed(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    /** Makes a directory of files that the table has. */
    private Path make(String name) throws IOException {
        Path directory = Files.createDirectory(root.resolve(name));
        for (int i = 0; i < FILES; i++) {
            Files.writeString(directory.resolve("f" + i), "text " + i);
        }
        sync(directory);
        assertThat(inTable("/" + name)).hasSize(FILES);
        return directory;
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Test
    void aRemovedFileIsGoneForProgramsAtOnceAndForOthersAfterASync() throws IOException {
        Path directory = make("d");
        for (int i = 0; i < FILES; i++) {
            Path file = directory.resolve("f" + i);
            Files.delete(file);
            assertThat(file).doesNotExist();
            if (i % 50 == 7) {
                assertThat(listed(directory)).hasSize(FILES - i - 1).doesNotContain("f" + i);
            }
        }
        sync(directory);
        assertThat(inTable("/d")).isEmpty();
    }

    @Test
    void aRemovedNameCanBeUsedAgainForAnything() throws IOException, InterruptedException {
        Path directory = make("d");
        for (int i = 0; i < FILES; i++) {
            Path file = directory.resolve("f" + i);
            Files.delete(file);
            switch (i % 4) {
                case 0 -> Files.writeString(file, "again " + i, StandardOpenOption.CREATE_NEW);
                case 1 -> Files.createDirectory(file);
                case 2 -> Files.createSymbolicLink(file, Path.of("f0"));
                default -> Files.move(Files.writeString(directory.resolve("other"), "moved"), file);
            }
        }
        mount.close();
        assertThat(inTable("/d")).hasSize(FILES);
        mount = rig.mount("m", FilePath.ROOT, false);
        for (int i = 0; i < FILES; i++) {
            Path file = directory.resolve("f" + i);
            switch (i % 4) {
                case 0 -> assertThat(file).hasContent("again " + i);
                case 1 -> assertThat(file).isDirectory();
                case 2 -> assertThat(file).isSymbolicLink();
                default -> assertThat(file).hasContent("moved");
            }
        }
    }

    @Test
    void directoriesAreRemovedAndRenamedBehindTheirFiles() throws IOException {
        Path removed = make("removed");
        Path renamed = make("renamed");
        for (int i = 0; i < FILES; i++) {
            Files.delete(removed.resolve("f" + i));
            Files.delete(renamed.resolve("f" + i));
        }
        Files.delete(removed);
        Path unused = Files.move(renamed, root.resolve("other"));
        assertThat(inTable("/other")).isEmpty();
        assertThat(inTable("/")).contains("other").doesNotContain("removed", "renamed");
    }

    @Test
    void aFileThatAnotherClientPutsInItsPlaceStays() throws IOException {
        Path directory = make("d");
        List<String> replaced = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            Files.delete(directory.resolve("f" + i));
            if (i % 20 == 3) {
                replaced.add("f" + i);
                CreateOptions options = new CreateOptions("0", "0", 0644, false, true);
                try (PackingOutput out = rig.files().create(new FilePath("/d/f" + i), options)) {
                    out.write("another client's".getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        sync(directory);
        assertThat(inTable("/d")).containsExactlyInAnyOrderElementsOf(replaced);
        for (String name : replaced) {
            assertThat(directory.resolve(name)).hasContent("another client's");
        }
    }

    @Test
    void aKilledServerForgetsNoRemoval() throws IOException, InterruptedException {
        Path directory = make("d");
        int killAt = Seed.random().nextInt(FILES / 2);
        for (int i = 0; i < FILES; i++) {
            Files.delete(directory.resolve("f" + i));
            if (i == killAt) {
                KilledServerTest.server(mount).destroyForcibly();
            }
        }
        assertThat(listed(directory)).isEmpty();
        mount.close();
        assertThat(inTable("/d")).isEmpty();
    }
}
