// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.layers.containerd.ContainerdSnapshots;
import io.packing.layers.containerd.KernelRoots;
import io.packing.layers.containerd.rpc.v1.PrepareSnapshotRequest;
import io.packing.layers.containerd.rpc.v1.SnapshotsGrpc;
import io.packing.process.Await;
import io.packing.process.LinkedProgram;
import io.packing.seed.Seed;
import io.packing.transport.UnixSocketChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Stock containerd with our snapshotter, and with images of this machine's own shell. It needs root, FUSE, containerd and runc. */
@Timeout(600)
@Tag("cluster")
class ContainerdIT {
    private static final List<String> PROGRAMS = List.of("sh", "cat", "sleep", "sha256sum", "ls");
    private static final int FILE_BYTES = 300_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path home;

    private final Random random = Seed.random();
    private Optional<ContainerdRig> started = Optional.empty();
    private byte[] shell = {};
    private byte[] data = {};
    private byte[] bytes = {};

    @BeforeEach
    void start() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        Optional<String> missing = ContainerdRig.missing();
        assumeTrue(missing.isEmpty(), missing.orElse(""));
        started = Optional.of(new ContainerdRig(home));
        shell = shell();
        bytes = new byte[FILE_BYTES];
        random.nextBytes(bytes);
        Path tree = home.resolve("data-tree");
        Path folder = Files.createDirectories(tree.resolve("data"));
        Files.write(folder.resolve("file"), bytes);
        Files.writeString(folder.resolve("short"), "of the image\n");
        data = tar(tree);
    }

    @AfterEach
    void stop() throws Exception {
        if (started.isPresent()) {
            started.get().close();
        }
    }

    private ContainerdRig rig() {
        return started.orElseThrow();
    }

    private static String say(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private byte[] tar(Path tree) throws IOException, InterruptedException {
        Path tar = home.resolve(tree.getFileName() + ".tar");
        String unused = say(home, "tar", "-cf", tar.toString(), "-C", tree.toString(), ".");
        return Files.readAllBytes(tar);
    }

    /** Makes a layer of a shell and some programs. */
    private byte[] shell() throws IOException, InterruptedException {
        Path tree = Files.createDirectories(home.resolve("shell-tree"));
        for (String name : PROGRAMS) {
            LinkedProgram.copy(name, tree);
        }
        return tar(tree);
    }

    private String sum() {
        return ContainerdRig.digest(bytes).hex();
    }

    private boolean has(byte[] layer) throws IOException, InterruptedException {
        return rig().ctr("content", "ls", "-q")
                .contains(ContainerdRig.digest(layer).toString());
    }

    @Test
    void aPulledImageRunsAndNoLayerWasFetched() throws Exception {
        String image = rig().push("team/app", List.of(shell, data));
        rig().pull(image);
        assertThat(has(shell)).isFalse();
        assertThat(has(data)).isFalse();
        assertThat(rig().run(image, "sh", "-c", "sha256sum /data/file; echo own > /data/short; cat /data/short"))
                .startsWith(sum())
                .endsWith("own\n");
        // The other container has the image's file, and the image below it is one for both.
        assertThat(rig().run(image, "cat", "/data/short")).isEqualTo("of the image\n");
        assertThat(rig().containersOfRegistry()).hasSize(1);
        assertThat(rig().ctr("snapshots", "--snapshotter", "packing", "usage")
                        .lines()
                        .skip(1))
                .hasSize(2)
                .allMatch(line -> line.contains(" 0.0 "));
        rig().removeImages();
        Await.until(
                "all is removed",
                () -> rig().ctr("snapshots", "--snapshotter", "packing", "ls")
                                .lines()
                                .count()
                        == 1);
        Await.until(
                "the registry has no container",
                () -> rig().containersOfRegistry().isEmpty());
    }

    @Test
    void aKilledSnapshotterIsNotNoticedByContainers() throws Exception {
        String image = rig().push("team/app", List.of(shell, data));
        rig().pull(image);
        String name = rig().name();
        rig().ctr("run", "--detach", "--snapshotter", "packing", image, name, "sleep", "1000");
        rig().ctr("task", "exec", "--exec-id", "e1", name, "sh", "-c", "echo written > /data/new");
        rig().killPlugin();
        // No process has read the file yet: its bytes come now.
        assertThat(rig().ctr("task", "exec", "--exec-id", "e2", name, "sh", "-c", "sha256sum /data/file"))
                .startsWith(sum());
        assertThatThrownBy(() -> rig().run(image, "cat", "/data/short")).hasMessageContaining("unavailable");
        rig().startPlugin();
        // containerd dials again after some seconds.
        Await.until("containerd finds the new process", rig()::findsSnapshotter);
        assertThat(rig().run(image, "cat", "/data/short")).isEqualTo("of the image\n");
        assertThat(rig().ctr("task", "exec", "--exec-id", "e3", name, "cat", "/data/new"))
                .isEqualTo("written\n");
    }

    @Test
    void aContainerOnAMetadataImageHasNamesAndShortFilesWithoutAServer() throws Exception {
        Optional<String> whyNot = KernelRoots.whyNot(home.resolve("trial"));
        assumeTrue(whyNot.isEmpty(), () -> "no metadata images here: " + whyNot.orElse(""));
        String image = rig().push("team/app", List.of(shell, data));
        rig().pull(image);
        String name = rig().name();
        rig().ctr("run", "--detach", "--snapshotter", "packing", image, name, "sleep", "1000");
        List<Path> mounted = rig().metadataImages();
        assertThat(mounted).hasSize(1);
        Path root = rig().rootOf(name);
        Files.setPosixFilePermissions(root.resolve("data/file"), PosixFilePermissions.fromString("rw-------"));
        rig().killRootsServer();
        // Its keeper starts another one, which has the bytes.
        assertThat(rig().ctr("task", "exec", "--exec-id", "e1", name, "sh", "-c", "sha256sum /data/file"))
                .startsWith(sum());
        rig().killRootsServerAndKeeper();
        assertThat(root.resolve("data/short")).hasContent("of the image\n");
        assertThat(Files.size(root.resolve("data/file"))).isEqualTo(FILE_BYTES);
        try (Stream<Path> listed = Files.list(root.resolve("data"))) {
            assertThat(listed).hasSize(2);
        }
        // The next container has a new server, and the image that is mounted.
        assertThat(rig().run(image, "sha256sum", "/data/file")).startsWith(sum());
        assertThat(rig().metadataImages()).isEqualTo(mounted);
        // A damaged image is fetched again before it is mounted.
        KernelMountTable.unmount(mounted.get(0));
        Path file;
        try (Stream<Path> files = Files.list(mounted.get(0).getParent())) {
            file = files.filter(each -> each.toString().endsWith(".erofs"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertThat(rig().run(image, "cat", "/data/short")).isEqualTo("of the image\n");
        assertThat(file).hasBinaryContent(whole);
        assertThat(rig().metadataImages()).isEqualTo(mounted);
    }

    @Test
    void aLayerThatTheRegistryRefusesIsPulledAboveLayersThatAreThere() throws Exception {
        String first = rig().push("team/app", List.of(shell, data));
        Path tree = home.resolve("odd-tree");
        Path odd = Files.createDirectories(tree.resolve("data"));
        Files.writeString(odd.resolve("second"), "above\n");
        // The layer hides a file as overlayfs does, which no layer of an image may do.
        String unused = say(odd, "mknod", "short", "c", "0", "0");
        byte[] refused = tar(tree);
        String image = rig().push("team/odd", List.of(shell, data, refused));
        rig().pull(image);
        assertThat(has(data)).isFalse();
        assertThat(has(refused)).isTrue();
        assertThat(rig().run(image, "sh", "-c", "cat /data/second; sha256sum /data/file"))
                .startsWith("above\n" + sum());
        rig().pull(first);
        assertThat(rig().run(first, "cat", "/data/short")).isEqualTo("of the image\n");
        // The registry has one layer below this one, and no image of it alone.
        String low = rig().push("team/low", List.of(shell, refused));
        rig().pull(low);
        assertThat(has(shell)).isFalse();
        assertThat(rig().run(low, "sh", "-c", "cat /data/second; ls /data/file || echo none"))
                .isEqualTo("above\nnone\n");
    }

    @Test
    void aRegistryThatIsAwayIsNoMissingLayer() throws Exception {
        String image = rig().push("team/app", List.of(shell, data));
        rig().pull(image);
        rig().stopMaster();
        try (UnixSocketChannel channel = UnixSocketChannel.open(rig().pluginSocket())) {
            SnapshotsGrpc.SnapshotsBlockingStub plugin = SnapshotsGrpc.newBlockingStub(channel.channel());
            PrepareSnapshotRequest unknown = PrepareSnapshotRequest.newBuilder()
                    .setKey("k8s.io/1/extract")
                    .putLabels(
                            ContainerdSnapshots.REFERENCE,
                            ContainerdRig.digest(data).toString())
                    .build();
            assertThatThrownBy(() -> {
                        Object unused = plugin.prepare(unknown);
                    })
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
            PrepareSnapshotRequest known = unknown.toBuilder()
                    .putLabels(
                            ContainerdSnapshots.REFERENCE,
                            ContainerdRig.digest(shell).toString())
                    .build();
            assertThatThrownBy(() -> {
                        Object unused = plugin.prepare(known);
                    })
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.ALREADY_EXISTS));
        }
    }
}
