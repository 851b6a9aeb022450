// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import static io.packing.csi.CsiRig.GIB;
import static io.packing.csi.CsiRig.wish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.packing.bdt.client.MountName;
import io.packing.blob.FilePath;
import io.packing.csi.rpc.v1.ControllerGrpc;
import io.packing.csi.rpc.v1.CreateVolumeRequest;
import io.packing.csi.rpc.v1.GetPluginCapabilitiesRequest;
import io.packing.csi.rpc.v1.GetPluginInfoRequest;
import io.packing.csi.rpc.v1.IdentityGrpc;
import io.packing.csi.rpc.v1.NodeStageVolumeRequest;
import io.packing.csi.rpc.v1.ProbeRequest;
import io.packing.process.Ports;
import io.packing.transport.UnixSocketChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The driver as a process: its socket, its identity, its log. */
@Timeout(120)
class DriverTest {
    private static final String SECRET = "n0b0dy-may-read-this";

    @TempDir
    private Path home;

    @Test
    void onlyTheDriversUserMayConnect() throws Exception {
        try (CsiRig rig = CsiRig.start(home)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rig.socket())))
                    .isEqualTo("rw-------");
            try (Stream<Path> left = Files.list(home)) {
                assertThat(left.filter(each -> each.getFileName().toString().startsWith(".s")))
                        .isEmpty();
            }
        }
        assertThat(home.resolve("csi.sock")).doesNotExist();
    }

    @Test
    void aSecondDriverAtTheSocketIsRefusedAndTheFirstGoesOn() throws Exception {
        try (CsiRig rig = CsiRig.start(home)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> rig.startDriver("csi.sock", CsiRig.BASE, CsiPart.ALL, Optional.empty()))
                    .withMessageContaining("is in use");
            assertThat(rig.create("pvc-1").getVolumeId()).isNotEmpty();
        }
    }

    @Test
    void aSocketThatAKilledDriverLeftIsReplaced() throws Exception {
        Files.createFile(home.resolve("csi.sock"));
        try (CsiRig rig = CsiRig.start(home)) {
            assertThat(rig.create("pvc-1").getVolumeId()).isNotEmpty();
        }
    }

    @Test
    void theDriverSaysWhoItIsAndIsReadyWhileTheMasterAnswers() throws Exception {
        try (CsiRig rig = CsiRig.start(home)) {
            assertThat(rig.identity()
                            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                            .getName())
                    .isEqualTo("csi.packing.io");
            assertThat(rig.identity()
                            .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesCount())
                    .isEqualTo(3);
            assertThat(rig.identity()
                            .probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isTrue();
        }
    }

    @Test
    void aDriverStartsWithoutMastersAndSaysThatItIsNotReady() throws Exception {
        CsiOptions options = new CsiOptions(
                CsiOptions.DEFAULT_NAME,
                home.resolve("csi.sock"),
                CsiPart.NODE,
                CsiRig.BASE,
                "node-1",
                home.resolve("state"),
                Optional.empty());
        CsiMount nobody =
                new CsiMount(MountName.parse("127.0.0.1:" + Ports.free(1).get(0)), Map.of(), Duration.ofMillis(200));
        try (CsiDriver driver = CsiDriver.start(options, nobody, "1", spec -> List.of());
                UnixSocketChannel channel = UnixSocketChannel.open(driver.socket())) {
            assertThat(IdentityGrpc.newBlockingStub(channel.channel())
                            .probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isFalse();
        }
    }

    @Test
    void twoDirectoriesOfOneMountAreTwoClusters() throws Exception {
        try (CsiRig rig = CsiRig.start(home);
                CsiDriver other = rig.startDriver(
                        "other.sock", new FilePath("/others/volumes"), CsiPart.CONTROLLER, Optional.empty());
                UnixSocketChannel channel = UnixSocketChannel.open(other.socket())) {
            String here = rig.create("pvc-1").getVolumeId();
            String there = ControllerGrpc.newBlockingStub(channel.channel())
                    .createVolume(wish("pvc-1", GIB).build())
                    .getVolume()
                    .getVolumeId();
            assertThat(there).isNotEqualTo(here).endsWith(".pvc-1");
        }
    }

    /** Requests may have secrets; no line of any level has one, also when a call fails. */
    @Test
    void noSecretIsLogged() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger("io.packing");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Level before = root.getLevel();
        root.setLevel(Level.TRACE);
        root.addAppender(lines);
        try (CsiRig rig = CsiRig.start(home)) {
            CreateVolumeRequest.Builder wish = wish("pvc-1", GIB).putSecrets("key", SECRET);
            String id = rig.create(wish).getVolumeId();
            Throwable refused = catchThrowable(() -> rig.create(wish.putParameters("wrong", "1")));
            Throwable unstaged = catchThrowable(() -> rig.node()
                    .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                            .setVolumeId(id)
                            .putSecrets("key", SECRET)
                            .setStagingTargetPath("relative")
                            .setVolumeCapability(CsiRig.shared())
                            .build()));
            assertThat(refused).hasMessageNotContaining(SECRET);
            assertThat(unstaged).hasMessageNotContaining(SECRET).hasMessageContaining("no absolute path");
        } finally {
            root.detachAppender(lines);
            root.setLevel(before);
        }
        List<String> said = new ArrayList<>();
        for (ILoggingEvent line : List.copyOf(lines.list)) {
            said.add(line.getFormattedMessage());
        }
        assertThat(said).isNotEmpty().noneMatch(line -> line.contains(SECRET));
    }
}
