// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import static io.packing.csi.CsiRig.GIB;
import static io.packing.csi.CsiRig.refused;
import static io.packing.csi.CsiRig.wish;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.blob.FilePath;
import io.packing.csi.rpc.v1.CapacityRange;
import io.packing.csi.rpc.v1.ControllerExpandVolumeRequest;
import io.packing.csi.rpc.v1.ControllerExpandVolumeResponse;
import io.packing.csi.rpc.v1.CreateVolumeRequest;
import io.packing.csi.rpc.v1.DeleteVolumeRequest;
import io.packing.csi.rpc.v1.DeleteVolumeResponse;
import io.packing.csi.rpc.v1.GetCapacityRequest;
import io.packing.csi.rpc.v1.ListVolumesRequest;
import io.packing.csi.rpc.v1.ListVolumesResponse;
import io.packing.csi.rpc.v1.ValidateVolumeCapabilitiesRequest;
import io.packing.csi.rpc.v1.Volume;
import io.packing.csi.rpc.v1.VolumeCapability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Volumes, as an orchestrator asks for them. */
@Timeout(120)
class ControllerTest {
    @TempDir
    private Path home;

    private CsiRig rig;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        rig = CsiRig.start(home);
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private void delete(String id) {
        DeleteVolumeResponse unused = rig.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    private Quota quota(Volume volume) throws IOException {
        return rig.bdt().quota(CsiRig.data(volume)).orElseThrow();
    }

    @Test
    void aNameMakesOneVolumeWithAQuotaHoweverOftenItIsAskedFor() throws IOException {
        Volume volume = rig.create("pvc-1");
        assertThat(volume.getCapacityBytes()).isEqualTo(GIB);
        assertThat(rig.create("pvc-1")).isEqualTo(volume);
        assertThat(quota(volume).mostBytes()).hasValue(GIB);
        assertThat(rig.bdt()
                        .stat(CsiRig.data(volume))
                        .orElseThrow()
                        .attributes()
                        .mode())
                .isEqualTo(0777);
    }

    @Test
    void anotherWishOfTheSameNameIsRefused() {
        Volume unused = rig.create("pvc-1");
        refused(
                Status.Code.ALREADY_EXISTS,
                "another capacity (1,073,741,824 bytes)",
                () -> rig.create(wish("pvc-1", 2 * GIB)));
        refused(
                Status.Code.ALREADY_EXISTS,
                "other parameters",
                () -> rig.create(wish("pvc-1", GIB).putParameters("names", "100")));
        refused(
                Status.Code.ALREADY_EXISTS,
                "another source",
                () -> rig.create(wish("pvc-1", GIB).setVolumeContentSource(CsiRig.from(rig.create("pvc-2")))));
    }

    @Test
    void parametersSetOwnerModeAndTheMostNames() throws IOException {
        Volume volume = rig.create(wish("pvc-1", GIB)
                .putParameters("mode", "2770")
                .putParameters("uid", "1000")
                .putParameters("gid", "3000")
                .putParameters("names", "5")
                .putParameters("csi.storage.k8s.io/pvc/name", "claim"));
        assertThat(rig.bdt().stat(CsiRig.data(volume)).orElseThrow().attributes())
                .satisfies(top -> {
                    assertThat(top.mode()).isEqualTo(02770);
                    assertThat(top.owner()).isEqualTo("#1000");
                    assertThat(top.group()).isEqualTo("#3000");
                });
        assertThat(quota(volume).mostNames()).hasValue(5);
        refused(
                Status.Code.INVALID_ARGUMENT,
                "unknown parameter 'nmaes'; did you mean 'names'?",
                () -> rig.create(wish("pvc-2", GIB).putParameters("nmaes", "5")));
        refused(
                Status.Code.INVALID_ARGUMENT,
                "parameter mode: '999' is no number from 0 to 7777",
                () -> rig.create(wish("pvc-2", GIB).putParameters("mode", "999")));
    }

    @Test
    void aBlockVolumeIsRefusedByName() {
        CreateVolumeRequest.Builder block = wish("pvc-1", GIB)
                .clearVolumeCapabilities()
                .addVolumeCapabilities(VolumeCapability.newBuilder()
                        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                        .setAccessMode(CsiRig.shared().getAccessMode()));
        refused(Status.Code.INVALID_ARGUMENT, "volume_capability.block", () -> rig.create(block));
        Volume volume = rig.create("pvc-2");
        assertThat(rig.controller()
                        .validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                                .setVolumeId(volume.getVolumeId())
                                .addVolumeCapabilities(block.getVolumeCapabilities(0))
                                .build())
                        .hasConfirmed())
                .isFalse();
        assertThat(rig.controller()
                        .getCapacity(GetCapacityRequest.newBuilder()
                                .addVolumeCapabilities(block.getVolumeCapabilities(0))
                                .build())
                        .getAvailableCapacity())
                .isZero();
    }

    /** Names are those of users of the cluster: none of them leads out of the directory of volumes. */
    @Test
    void noNameLeadsOutOfTheDirectoryOfVolumes() throws IOException {
        for (String name : List.of("../../etc", "a/../../b", "..", ".snapshot", "/", "Ünï", "~0", "a".repeat(128))) {
            Volume volume = rig.create(wish(name, GIB));
            assertThat(CsiRig.data(volume).value()).matches("/volumes/volumes/(~[0-9a-f]{32}|[a-z0-9.-]+)/data");
            assertThat(rig.bdt().stat(CsiRig.data(volume))).as(name).isPresent();
        }
        assertThat(rig.bdt().list(FilePath.ROOT, "", 10).orElseThrow()).hasSize(1);
        refused(Status.Code.INVALID_ARGUMENT, "control characters", () -> rig.create(wish("a\nb", GIB)));
        refused(Status.Code.INVALID_ARGUMENT, "is empty", () -> rig.create(wish("", GIB)));
    }

    @Test
    void anIdWithDotsAndSlashesIsTheIdOfNoVolume() {
        Volume volume = rig.create("pvc-1");
        String cluster = volume.getVolumeId().substring(0, 17);
        for (String key : List.of("../snapshots", "..", "pvc-1/data", ".", "~..", "PVC-1")) {
            refused(
                    Status.Code.NOT_FOUND,
                    "there is no volume",
                    () -> rig.controller()
                            .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                    .setVolumeId(cluster + key)
                                    .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(GIB))
                                    .build()));
            delete(cluster + key);
        }
        assertThat(rig.create("pvc-1")).isEqualTo(volume);
    }

    @Test
    void anIdOfAnotherClusterIsNotFoundAndTheAnswerNamesBoth() {
        Volume volume = rig.create("pvc-1");
        String other = "0123456789abcdef." + volume.getVolumeId().substring(17);
        refused(
                Status.Code.NOT_FOUND,
                "is of the cluster 0123456789abcdef, and this driver serves /volumes, the cluster "
                        + volume.getVolumeId().substring(0, 16),
                () -> delete(other));
        refused(
                Status.Code.NOT_FOUND,
                "is of the cluster 0123456789abcdef",
                () -> rig.controller()
                        .validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                                .setVolumeId(other)
                                .addVolumeCapabilities(CsiRig.shared())
                                .build()));
        assertThat(rig.create("pvc-1")).isEqualTo(volume);
    }

    @Test
    void aDeletedVolumeIsGoneAndItsDeletionIsRepeatable() throws IOException {
        Volume volume = rig.create("pvc-1");
        rig.put(volume, "f");
        delete(volume.getVolumeId());
        delete(volume.getVolumeId());
        assertThat(rig.bdt().stat(CsiRig.data(volume))).isEmpty();
        assertThat(rig.has(rig.create("pvc-1"), "f")).isFalse();
    }

    /** Snapshots of an operator protect their volume, and the answer names them. */
    @Test
    void aVolumeWithAnOperatorsSnapshotIsNotDeleted() throws IOException {
        Volume volume = rig.create("pvc-1");
        Object unused = rig.bdt().apply(OperationVector.of(new Operation.TakeSnapshot(CsiRig.data(volume), "before")));
        refused(Status.Code.FAILED_PRECONDITION, "drop it first", () -> delete(volume.getVolumeId()));
        assertThat(rig.bdt().stat(CsiRig.data(volume))).isPresent();
    }

    @Test
    void anExpansionRaisesTheQuotaAndNothingLowersIt() throws IOException {
        Volume volume = rig.create("pvc-1");
        assertThat(expand(volume, 3 * GIB, 0).getCapacityBytes()).isEqualTo(3 * GIB);
        assertThat(quota(volume).mostBytes()).hasValue(3 * GIB);
        assertThat(expand(volume, GIB, 0).getCapacityBytes()).isEqualTo(3 * GIB);
        assertThat(quota(volume).mostBytes()).hasValue(3 * GIB);
        refused(Status.Code.OUT_OF_RANGE, "needs 3,221,225,472", () -> expand(volume, GIB, 2 * GIB));
        // The volume is what was asked for first, or more.
        assertThat(rig.create("pvc-1").getCapacityBytes()).isEqualTo(3 * GIB);
    }

    private ControllerExpandVolumeResponse expand(Volume volume, long required, long limit) {
        return rig.controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setCapacityRange(CapacityRange.newBuilder()
                                .setRequiredBytes(required)
                                .setLimitBytes(limit))
                        .build());
    }

    private ListVolumesResponse list(String token, int most) {
        return rig.controller()
                .listVolumes(ListVolumesRequest.newBuilder()
                        .setStartingToken(token)
                        .setMaxEntries(most)
                        .build());
    }

    @Test
    void listingsGoOnBehindAVolumeThatIsGone() {
        for (int i = 0; i < 5; i++) {
            Volume unused = rig.create("pvc-" + i);
        }
        ListVolumesResponse first = list("", 2);
        assertThat(first.getEntriesList()).hasSize(2);
        first.getEntriesList().forEach(each -> delete(each.getVolume().getVolumeId()));
        List<String> rest = new ArrayList<>();
        for (ListVolumesResponse part = list(first.getNextToken(), 2); ; part = list(part.getNextToken(), 2)) {
            part.getEntriesList().forEach(each -> rest.add(each.getVolume().getVolumeId()));
            if (part.getNextToken().isEmpty()) {
                break;
            }
        }
        assertThat(rest).hasSize(3).allMatch(id -> id.matches("[0-9a-f]{16}\\.pvc-[234]"));
        assertThat(list("", 0).getEntriesCount()).isEqualTo(3);
        assertThat(list("", 3).getNextToken()).isEmpty();
        refused(Status.Code.ABORTED, "is no token", () -> list("pvc-1", 0));
        refused(Status.Code.INVALID_ARGUMENT, "-1 entries", () -> list("", -1));
    }

    @Test
    void aQuotaAboveTheVolumesIsTheCapacity() throws IOException {
        Volume volume = rig.create("pvc-1");
        GetCapacityRequest any = GetCapacityRequest.getDefaultInstance();
        assertThat(rig.controller().getCapacity(any).getAvailableCapacity()).isEqualTo(1L << 50);
        Object unused =
                rig.bdt().setQuota(CsiRig.BASE, new QuotaChange(OptionalLong.empty(), OptionalLong.of(100 * GIB)));
        assertThat(rig.controller().getCapacity(any).getAvailableCapacity()).isEqualTo(100 * GIB);
        assertThat(volume.getCapacityBytes()).isEqualTo(GIB);
    }

    /** Nothing is in the driver's memory: another one knows all volumes, by equal ids. */
    @Test
    void anotherDriverOfTheMountKnowsAllVolumes() throws Exception {
        Volume volume = rig.create("pvc-1");
        rig.put(volume, "f");
        rig.restartDriver(Optional.empty());
        assertThat(rig.create("pvc-1")).isEqualTo(volume);
        assertThat(list("", 0).getEntries(0).getVolume()).isEqualTo(volume);
        assertThat(rig.has(volume, "f")).isTrue();
    }

    /** A driver that ended between the volume and its quota: the repeated call sets the quota. */
    @Test
    void aQuotaThatIsMissingIsSetByTheRepeatedCall() throws IOException {
        Volume volume = rig.create("pvc-1");
        Object unused = rig.bdt().setQuota(CsiRig.data(volume), QuotaChange.CLEAR);
        assertThat(rig.bdt().quota(CsiRig.data(volume))).isEmpty();
        assertThat(rig.create("pvc-1")).isEqualTo(volume);
        assertThat(quota(volume).mostBytes()).hasValue(GIB);
    }
}
