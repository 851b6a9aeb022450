// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.MountName;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.csi.rpc.v1.CapacityRange;
import io.packing.csi.rpc.v1.ControllerGrpc;
import io.packing.csi.rpc.v1.CreateSnapshotRequest;
import io.packing.csi.rpc.v1.CreateVolumeRequest;
import io.packing.csi.rpc.v1.GroupControllerGrpc;
import io.packing.csi.rpc.v1.IdentityGrpc;
import io.packing.csi.rpc.v1.NodeGrpc;
import io.packing.csi.rpc.v1.Snapshot;
import io.packing.csi.rpc.v1.Volume;
import io.packing.csi.rpc.v1.VolumeCapability;
import io.packing.csi.rpc.v1.VolumeContentSource;
import io.packing.fuse.mount.MountSpec;
import io.packing.store.ObjectStores;
import io.packing.transport.UnixSocketChannel;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A BDT master of this JVM over a directory, a worker if it is asked for, and a driver with clients at its socket. */
final class CsiRig implements AutoCloseable {
    static final FilePath BASE = new FilePath("/volumes");
    static final long GIB = 1L << 30;
    /** The options of a short-lived server, whose second compiler would take most of its processor time. */
    private static final List<String> BRIEF = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path home;
    private final BdtMaster master;
    private final Map<String, String> options;
    private Optional<PackingWorker> worker = Optional.empty();
    private Optional<PackingFileSystem> files = Optional.empty();
    private CsiDriver driver;
    private UnixSocketChannel channel;
    private final CsiMount mount;

    private CsiRig(Path home) throws IOException, InterruptedException {
        this.home = home;
        Path store = Files.createDirectories(home.resolve("store"));
        this.options = Map.of("packing.store", store.toUri().toString(), "packing.seal.after", "1s");
        this.master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("master").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "file://" + store)))
                .serve();
        this.mount = connect();
        this.driver = startDriver("csi.sock", BASE, CsiPart.ALL, Optional.empty());
        this.channel = UnixSocketChannel.open(driver.socket());
    }

    static CsiRig start(Path home) throws IOException, InterruptedException {
        return new CsiRig(home);
    }

    /** Starts a worker besides, for files that have bytes. */
    static CsiRig withWorker(Path home) throws IOException, InterruptedException {
        CsiRig rig = new CsiRig(home);
        PackingWorker started = PackingWorker.start(
                new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0),
                rig.master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        rig.worker = Optional.of(started);
        rig.files = Optional.of(started.open(MountOptions.from(rig.options)));
        return rig;
    }

    CsiMount connect() {
        return new CsiMount(MountName.parse("127.0.0.1:" + master.port()), options, PATIENCE);
    }

    /** Starts a driver beside the first one; the caller closes it. */
    CsiDriver startDriver(String socket, FilePath base, CsiPart mode, Optional<Path> stager)
            throws IOException, InterruptedException {
        CsiOptions config = new CsiOptions(
                CsiOptions.DEFAULT_NAME,
                home.resolve(socket),
                mode,
                base,
                "node-1",
                home.resolve(mode == CsiPart.STAGER ? "stager" : "state"),
                stager);
        return CsiDriver.start(config, connect(), "1", CsiRig::jvmOptions);
    }

    private static List<String> jvmOptions(MountSpec unused) {
        return BRIEF;
    }

    /** Stops the driver, and starts another one at its socket. */
    void restartDriver(Optional<Path> stager) throws IOException, InterruptedException {
        channel.close();
        driver.close();
        driver = startDriver("csi.sock", BASE, CsiPart.ALL, stager);
        channel = UnixSocketChannel.open(driver.socket());
    }

    Path socket() {
        return driver.socket();
    }

    ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel.channel());
    }

    GroupControllerGrpc.GroupControllerBlockingStub groups() {
        return GroupControllerGrpc.newBlockingStub(channel.channel());
    }

    IdentityGrpc.IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel.channel());
    }

    NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel.channel());
    }

    Bdt bdt() throws IOException {
        return mount.bdt();
    }

    void stopMaster() {
        master.close();
    }

    static VolumeCapability capability(VolumeCapability.AccessMode.Mode mode, String... flags) {
        return VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder().addAllMountFlags(List.of(flags)))
                .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode))
                .build();
    }

    static VolumeCapability shared() {
        return capability(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER);
    }

    static CreateVolumeRequest.Builder wish(String name, long bytes) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .addVolumeCapabilities(shared());
    }

    Volume create(String name) {
        return controller().createVolume(wish(name, GIB).build()).getVolume();
    }

    Volume create(CreateVolumeRequest.Builder wish) {
        return controller().createVolume(wish.build()).getVolume();
    }

    Snapshot snapshot(String name, Volume of) {
        return controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(of.getVolumeId())
                        .build())
                .getSnapshot();
    }

    static VolumeContentSource from(Snapshot snapshot) {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot.getSnapshotId()))
                .build();
    }

    static VolumeContentSource from(Volume volume) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(volume.getVolumeId()))
                .build();
    }

    /** Returns the path of a volume's files in the mount. */
    static FilePath data(Volume volume) {
        String id = volume.getVolumeId();
        return BASE.child("volumes").child(id.substring(id.indexOf('.') + 1)).child("data");
    }

    /** Makes an empty file of a volume. */
    void put(Volume volume, String name) throws IOException {
        VectorResult made = bdt().apply(OperationVector.of(
                new Operation.CreateFile(data(volume).child(name), AttributeChange.NONE, false)));
        Assertions.assertThat(made).isInstanceOf(VectorResult.Applied.class);
    }

    boolean has(Volume volume, String name) throws IOException {
        return bdt().stat(data(volume).child(name)).isPresent();
    }

    static void refused(Status.Code code, String message, ThrowingCallable call) {
        Assertions.assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(call)
                .satisfies(e -> Assertions.assertThat(e.getStatus().getCode())
                        .as(e.getMessage())
                        .isEqualTo(code))
                .withMessageContaining(message);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        try (BdtMaster stopping = master) {
            driver.close();
            mount.close();
            if (files.isPresent()) {
                files.get().close();
            }
            if (worker.isPresent()) {
                worker.get().close();
            }
        }
    }
}
