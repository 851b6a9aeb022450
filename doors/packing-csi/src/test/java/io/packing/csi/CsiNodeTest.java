// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import static io.packing.csi.CsiRig.GIB;
import static io.packing.csi.CsiRig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Status;
import io.packing.csi.rpc.v1.NodeGetVolumeHealthRequest;
import io.packing.csi.rpc.v1.NodeGetVolumeStatsRequest;
import io.packing.csi.rpc.v1.NodeGetVolumeStatsResponse;
import io.packing.csi.rpc.v1.NodePublishVolumeRequest;
import io.packing.csi.rpc.v1.NodePublishVolumeResponse;
import io.packing.csi.rpc.v1.NodeStageVolumeRequest;
import io.packing.csi.rpc.v1.NodeStageVolumeResponse;
import io.packing.csi.rpc.v1.NodeUnpublishVolumeRequest;
import io.packing.csi.rpc.v1.NodeUnpublishVolumeResponse;
import io.packing.csi.rpc.v1.NodeUnstageVolumeRequest;
import io.packing.csi.rpc.v1.NodeUnstageVolumeResponse;
import io.packing.csi.rpc.v1.Volume;
import io.packing.csi.rpc.v1.VolumeCapability;
import io.packing.csi.rpc.v1.VolumeCapability.AccessMode.Mode;
import io.packing.csi.rpc.v1.VolumeHealth;
import io.packing.csi.rpc.v1.VolumeUsage;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Volumes that are mounted on this machine, and what is left of them when something is killed. */
@Timeout(300)
@Tag("process")
class CsiNodeTest {
    @TempDir
    private Path home;

    private CsiRig rig;
    private Path staging;
    private Path target;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = CsiRig.withWorker(home);
        staging = Files.createDirectory(home.resolve("staging"));
        target = home.resolve("pods/1/mount");
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        if (rig == null) {
            return;
        }
        try (CsiRig closing = rig) {
            for (KernelMountTable.Entry each : KernelMountTable.entries()) {
                if (each.directory().startsWith(home.toRealPath())) {
                    KernelMountTable.unmount(each.directory());
                }
            }
        }
    }

    private void stage(Volume volume, VolumeCapability capability) {
        NodeStageVolumeResponse unused = rig.node()
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .setVolumeCapability(capability)
                        .build());
    }

    private void publish(Volume volume, Path at, VolumeCapability capability, boolean readOnly) {
        NodePublishVolumeResponse unused = rig.node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .setTargetPath(at.toString())
                        .setVolumeCapability(capability)
                        .setReadonly(readOnly)
                        .build());
    }

    private void unpublish(Volume volume, Path at) {
        NodeUnpublishVolumeResponse unused = rig.node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setTargetPath(at.toString())
                        .build());
    }

    private void unstage(Volume volume) {
        NodeUnstageVolumeResponse unused = rig.node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .build());
    }

    private NodeGetVolumeStatsResponse stats(Volume volume) {
        return rig.node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setVolumePath(target.toString())
                        .build());
    }

    private List<VolumeHealth.VolumeHealthEntry> health(Volume volume) {
        return rig.node()
                .nodeGetVolumeHealth(NodeGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .build())
                .getVolumeHealth()
                .getHealthStatusesList();
    }

    /** Returns the processes that serve mounts below the home: keepers, and JVMs. */
    private List<ProcessHandle> servers() throws IOException {
        String below = home.toRealPath() + "/state/mounts";
        return ProcessHandle.allProcesses()
                .filter(each -> each.info()
                        .commandLine()
                        .filter(line -> line.contains(below))
                        .isPresent())
                .toList();
    }

    /** Kills keepers before servers: a keeper that lives starts another server. */
    private void killAll() throws IOException {
        List<ProcessHandle> all = servers();
        for (ProcessHandle each : all) {
            if (each.children().findAny().isPresent()) {
                each.destroyForcibly();
            }
        }
        for (ProcessHandle each : all) {
            each.destroyForcibly();
            each.onExit().join();
        }
        assertThat(servers()).isEmpty();
    }

    private Volume ready(String name) {
        Volume volume = rig.create(name);
        stage(volume, CsiRig.shared());
        publish(volume, target, CsiRig.shared(), false);
        return volume;
    }

    @Test
    void aPublishedVolumeIsWrittenAndNothingIsLeftOfItAtTheEnd() throws IOException {
        Volume volume = rig.create("pvc-1");
        for (int i = 0; i < 2; i++) {
            stage(volume, CsiRig.shared());
        }
        for (int i = 0; i < 2; i++) {
            publish(volume, target, CsiRig.shared(), false);
        }
        Files.writeString(target.resolve("f"), "text");
        assertThat(rig.has(volume, "f")).isTrue();
        NodeGetVolumeStatsResponse stats = stats(volume);
        assertThat(stats.getUsage(0)).satisfies(bytes -> {
            assertThat(bytes.getUnit()).isEqualTo(VolumeUsage.Unit.BYTES);
            assertThat(bytes.getTotal()).isEqualTo(GIB);
            assertThat(bytes.getUsed()).isEqualTo(4);
        });
        assertThat(health(volume)).isEmpty();
        for (int i = 0; i < 2; i++) {
            unpublish(volume, target);
        }
        assertThat(target).doesNotExist();
        for (int i = 0; i < 2; i++) {
            unstage(volume);
        }
        assertThat(staging).isEmptyDirectory();
        assertThat(servers()).isEmpty();
        assertThat(home.resolve("state/staged")).isEmptyDirectory();
    }

    @Test
    void aReadOnlyTargetRefusesChangesAndAnotherOneTakesThem() throws IOException {
        Volume volume = ready("pvc-1");
        Path reader = home.resolve("pods/2/mount");
        publish(volume, reader, CsiRig.shared(), true);
        Files.writeString(target.resolve("f"), "text");
        assertThat(reader.resolve("f")).hasContent("text");
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.writeString(reader.resolve("g"), "text"))
                .withMessageContaining("Read-only");
        refused(
                Status.Code.ALREADY_EXISTS,
                "for reads and writes",
                () -> publish(volume, target, CsiRig.shared(), true));
    }

    /** The record of a volume is above what a pod sees. */
    @Test
    void aPodSeesNoRecordOfItsVolume() throws IOException {
        Volume volume = ready("pvc-1");
        UserDefinedFileAttributeView attributes =
                Files.getFileAttributeView(target, UserDefinedFileAttributeView.class);
        assertThat(attributes.list()).isEmpty();
        attributes.write("packing.csi", ByteBuffer.wrap("mine".getBytes(StandardCharsets.UTF_8)));
        assertThat(rig.create("pvc-1")).isEqualTo(volume);
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void aVolumeForReadersIsMountedReadOnly() {
        Volume volume = rig.create("pvc-1");
        VolumeCapability readers = CsiRig.capability(Mode.MULTI_NODE_READER_ONLY);
        stage(volume, readers);
        publish(volume, target, readers, false);
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.writeString(target.resolve("g"), "text"))
                .withMessageContaining("Read-only");
    }

    @Test
    void aQuotaStopsAWriterThatHasTooMuch() throws IOException {
        Volume volume = rig.create(CsiRig.wish("pvc-1", 10_000));
        stage(volume, CsiRig.shared());
        publish(volume, target, CsiRig.shared(), false);
        Files.write(target.resolve("f"), new byte[9_000]);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Files.write(target.resolve("g"), new byte[2_000]))
                .withMessageContaining("quota exceeded");
        assertThat(target.resolve("f")).hasSize(9_000);
    }

    @Test
    void aSingleWriterHasOneTarget() {
        Volume volume = rig.create("pvc-1");
        VolumeCapability single = CsiRig.capability(Mode.SINGLE_NODE_SINGLE_WRITER);
        stage(volume, single);
        publish(volume, target, single, false);
        publish(volume, target, single, false);
        refused(
                Status.Code.FAILED_PRECONDITION,
                "has a single writer",
                () -> publish(volume, home.resolve("pods/2/mount"), single, false));
    }

    @Test
    void whatIsNotAVolumesIsNeverUnmountedNorDeleted() throws IOException {
        Volume volume = ready("pvc-1");
        Volume other = rig.create("pvc-2");
        refused(Status.Code.FAILED_PRECONDITION, "has another mount", () -> stage(other, CsiRig.shared()));
        refused(Status.Code.FAILED_PRECONDITION, "has another mount", () -> unstage(other));
        Path full = Files.createDirectories(home.resolve("pods/3/mount"));
        Files.writeString(full.resolve("mine"), "text");
        refused(Status.Code.INTERNAL, "", () -> unpublish(volume, full));
        assertThat(full.resolve("mine")).hasContent("text");
        refused(
                Status.Code.INVALID_ARGUMENT,
                "has dots in it",
                () -> publish(volume, Path.of(home + "/pods/../pods/4"), CsiRig.shared(), false));
        refused(Status.Code.FAILED_PRECONDITION, "is not staged", () -> publish(other, full, CsiRig.shared(), false));
    }

    @Test
    void aRestartedDriverFindsWhatItStagedAndFilesStayOpen() throws Exception {
        Volume volume = ready("pvc-1");
        Path file = Files.writeString(target.resolve("f"), "before");
        List<ProcessHandle> before = servers();
        rig.restartDriver(Optional.empty());
        assertThat(servers()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(file).hasContent("before");
        stage(volume, CsiRig.shared());
        publish(volume, target, CsiRig.shared(), false);
        Files.writeString(target.resolve("g"), "after");
        unpublish(volume, target);
        unstage(volume);
        assertThat(servers()).isEmpty();
    }

    @Test
    void aMountWhoseServerAndKeeperWereKilledIsMendedWhereItWas() throws Exception {
        Volume volume = ready("pvc-1");
        Files.writeString(target.resolve("f"), "text");
        killAll();
        NodeGetVolumeStatsResponse stats = stats(volume);
        assertThat(stats.getUsage(0).getUsed()).isEqualTo(4);
        assertThat(health(volume)).isEmpty();
        assertThat(target.resolve("f")).hasContent("text");
        Files.writeString(target.resolve("g"), "more");
        unpublish(volume, target);
        unstage(volume);
    }

    /** A server that loses its keeper unmounts. Then no mount of a volume without targets is left, and none looks dead. */
    @Test
    void aStagedVolumeWhoseMountIsGoneIsMountedForItsNextTarget() throws Exception {
        Volume volume = ready("pvc-1");
        Files.writeString(target.resolve("f"), "text");
        unpublish(volume, target);
        killAll();
        KernelMountTable.unmount(staging);
        publish(volume, target, CsiRig.shared(), false);
        assertThat(target.resolve("f")).hasContent("text");
        unpublish(volume, target);
        unstage(volume);
        refused(
                Status.Code.FAILED_PRECONDITION,
                "is not staged",
                () -> publish(volume, target, CsiRig.shared(), false));
    }

    /** A stager has the file systems; the driver beside it may be replaced, and asks it. */
    @Test
    void aStagerMountsForADriverBesideIt() throws Exception {
        try (CsiDriver stager = rig.startDriver("stager.sock", CsiRig.BASE, CsiPart.STAGER, Optional.empty())) {
            rig.restartDriver(Optional.of(stager.socket()));
            Volume volume = ready("pvc-1");
            Files.writeString(target.resolve("f"), "text");
            assertThat(servers()).isEmpty();
            assertThat(home.resolve("stager/mounts/pvc-1/keeper.log")).exists();
            unpublish(volume, target);
            unstage(volume);
            assertThat(staging).isEmptyDirectory();
        }
    }

    @Test
    void aVolumeThatIsGoneIsNotStagedAndIsUnstaged() {
        Volume volume = ready("pvc-1");
        unpublish(volume, target);
        unstage(volume);
        refused(
                Status.Code.NOT_FOUND,
                "there is no volume",
                () -> stage(
                        volume.toBuilder()
                                .setVolumeId(volume.getVolumeId() + "x")
                                .build(),
                        CsiRig.shared()));
        unstage(volume.toBuilder().setVolumeId(volume.getVolumeId() + "x").build());
        refused(Status.Code.NOT_FOUND, "is not at", () -> stats(volume));
    }
}
