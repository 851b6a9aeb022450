// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.seed.Seed;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mount whose closes need not wait for small new files: programs see no difference, and a sync waits. */
@Timeout(300)
class WriteBehindTest {
    private static final int CLOSES = 6_000;
    /** The most closed files: those in the queue, and those on their way. */
    private static final int MOST_CLOSED = 2_000;

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

    /** Reads a file as another client does. */
    private String inTable(String path) throws IOException {
        try (PackingInput in = rig.files().open(new FilePath(path))) {
            ByteBuffer all = ByteBuffer.allocate(100);
            int read = in.read(0, all);
            return new String(all.array(), 0, Math.max(0, read), StandardCharsets.UTF_8);
        }
    }

    private Map<String, String> inTable(Iterable<String> paths) throws IOException {
        Map<String, String> all = new TreeMap<>();
        for (String path : paths) {
            all.put(path, inTable(path));
        }
        return all;
    }

    @Test
    void programsSeeWhatTheyWroteWhateverTheyDoWithItNext() throws IOException {
        long seed = Seed.value();
        Path local = Files.createDirectory(home.resolve("local"));
        for (Path top : new Path[] {root, local}) {
            Random draw = new Random(seed);
            for (int i = 0; i < 300; i++) {
                Path file = top.resolve("f" + i);
                Files.writeString(file, "text " + i);
                switch (draw.nextInt(9)) {
                    case 0 -> Files.delete(file);
                    case 1 -> Files.move(file, top.resolve("moved" + i));
                    case 2 -> Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
                    case 3 -> Files.createLink(top.resolve("link" + i), file);
                    case 4 -> Files.writeString(file, " more", StandardOpenOption.APPEND);
                    case 5 -> Files.writeString(file, "new");
                    case 6 -> Files.write(file, new byte[100_000]);
                    case 7 -> Files.createDirectory(top.resolve("d" + i));
                    default -> assertThat(Files.readString(file)).isEqualTo("text " + i);
                }
            }
        }
        assertThat(described(root)).isEqualTo(described(local));
    }

    private static Map<String, String> described(Path top) throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.list(top)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String has = Files.isDirectory(file) ? "directory" : Files.readString(file);
                all.put(
                        file.getFileName().toString(),
                        has + PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
        }
        return all;
    }

    @Test
    void aFileThatGrowsAfterItsFirstCloseIsPublishedWithAllOfIt() throws IOException, InterruptedException {
        for (int i = 0; i < 40; i++) {
            Path file = Files.writeString(root.resolve("f" + i), "small");
            Files.write(file, new byte[100_000], StandardOpenOption.APPEND);
            assertThat(rig.files()
                            .bdt()
                            .stat(new FilePath("/f" + i))
                            .orElseThrow()
                            .attributes()
                            .length())
                    .isEqualTo(100_005);
        }
    }

    @Test
    void aSyncedFileIsInTheTableWhenTheSyncReturns() throws IOException {
        for (int i = 0; i < 50; i++) {
            try (FileChannel file =
                    FileChannel.open(root.resolve("f" + i), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                int unused = file.write(ByteBuffer.wrap(new byte[] {'x'}));
                file.force(true);
            }
            assertThat(inTable("/f" + i)).isEqualTo("x");
        }
        Files.writeString(root.resolve("closed"), "before");
        try (FileChannel again = FileChannel.open(root.resolve("closed"), StandardOpenOption.WRITE)) {
            again.force(true);
        }
        assertThat(inTable("/closed")).isEqualTo("before");
    }

    @Test
    void everythingIsInTheTableAfterAnUnmount() throws IOException, InterruptedException {
        Map<String, String> wanted = new TreeMap<>();
        for (int i = 0; i < 400; i++) {
            Files.writeString(root.resolve("f" + i), "text " + i);
            wanted.put("/f" + i, "text " + i);
        }
        mount.close();
        assertThat(inTable(wanted.keySet())).isEqualTo(wanted);
    }

    @Test
    void aKilledServerLosesNothingThatWasClosed() throws IOException, InterruptedException {
        Map<String, String> wanted = new TreeMap<>();
        int killAt = Seed.random().nextInt(200);
        for (int i = 0; i < 300; i++) {
            Files.writeString(root.resolve("f" + i), "text " + i);
            wanted.put("/f" + i, "text " + i);
            if (i == killAt) {
                KilledServerTest.server(mount).destroyForcibly();
            }
        }
        for (Map.Entry<String, String> each : wanted.entrySet()) {
            assertThat(Files.readString(root.resolve(each.getKey().substring(1))))
                    .isEqualTo(each.getValue());
        }
        mount.close();
        assertThat(inTable(wanted.keySet())).isEqualTo(wanted);
    }

    @Test
    void aFileThatMustBeNewWaitsForItsName() throws IOException {
        Path file = root.resolve("f");
        try (FileChannel here = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            try (PackingOutput out =
                    rig.files().create(new FilePath("/f"), new CreateOptions("0", "0", 0644, false, false))) {
                out.write("another client's".getBytes(StandardCharsets.UTF_8));
            }
            int unused = here.write(ByteBuffer.wrap(new byte[] {1}));
            assertThatThrownBy(() -> here.force(true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("exists");
        } catch (IOException e) {
            // The close reports it, too.
            assertThat(e).hasMessageContaining("exists");
        }
        assertThat(inTable("/f")).isEqualTo("another client's");
        Files.writeString(root.resolve("g"), "new", StandardOpenOption.CREATE_NEW);
        assertThat(inTable("/g")).isEqualTo("new");
    }

    @Test
    void closesGoOnWithoutAWorkerAndTheFilesComeWithIt() throws IOException, InterruptedException {
        Files.writeString(root.resolve("before"), "x");
        try (FileChannel file = FileChannel.open(root.resolve("before"), StandardOpenOption.WRITE)) {
            file.force(true);
        }
        rig.stopWorker();
        Map<String, String> wanted = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            Files.writeString(root.resolve("f" + i), "text " + i);
            wanted.put("/f" + i, "text " + i);
        }
        assertThat(Files.readString(root.resolve("f7"))).isEqualTo("text 7");
        rig.startWorker();
        mount.close();
        assertThat(inTable(wanted.keySet())).isEqualTo(wanted);
    }

    /** Otherwise a program would fill the disk with drafts, without an error. */
    @Test
    void closesWaitAndFailAsSoonAsAFileCouldNotBePublished() throws IOException, InterruptedException {
        Path other = Files.createDirectory(home.resolve("other"));
        try (MountRig away = MountRig.start(other, Duration.ofSeconds(2))) {
            Map<String, String> wanted = new TreeMap<>();
            try (FuseMount behind =
                    away.mount("m", FilePath.ROOT, false, "-D" + PosixServerMain.WRITE_BEHIND + "=true")) {
                Files.writeString(behind.directory().resolve("before"), "x");
                away.stopWorker();
                for (int i = 0; i < CLOSES; i++) {
                    if (isClosed(behind.directory().resolve("f" + i), "text " + i)) {
                        wanted.put("/f" + i, "text " + i);
                    }
                }
                assertThat(wanted).as("files closed while there is no worker").hasSizeLessThan(MOST_CLOSED);
                away.startWorker();
            }
            for (Map.Entry<String, String> each : wanted.entrySet()) {
                assertThat(away.files().bdt().stat(new FilePath(each.getKey())))
                        .as(each.getKey())
                        .isPresent();
            }
        }
    }

    private static boolean isClosed(Path file, String text) {
        try {
            Files.writeString(file, text);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
