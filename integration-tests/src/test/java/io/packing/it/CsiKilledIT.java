// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.csi.rpc.v1.CapacityRange;
import io.packing.csi.rpc.v1.ControllerGrpc;
import io.packing.csi.rpc.v1.CreateSnapshotRequest;
import io.packing.csi.rpc.v1.CreateVolumeRequest;
import io.packing.csi.rpc.v1.DeleteSnapshotRequest;
import io.packing.csi.rpc.v1.DeleteVolumeRequest;
import io.packing.csi.rpc.v1.ListSnapshotsRequest;
import io.packing.csi.rpc.v1.ListSnapshotsResponse;
import io.packing.csi.rpc.v1.ListVolumesRequest;
import io.packing.csi.rpc.v1.ListVolumesResponse;
import io.packing.csi.rpc.v1.NodeGrpc;
import io.packing.csi.rpc.v1.NodePublishVolumeRequest;
import io.packing.csi.rpc.v1.NodeStageVolumeRequest;
import io.packing.csi.rpc.v1.NodeUnpublishVolumeRequest;
import io.packing.csi.rpc.v1.NodeUnstageVolumeRequest;
import io.packing.csi.rpc.v1.Snapshot;
import io.packing.csi.rpc.v1.Volume;
import io.packing.csi.rpc.v1.VolumeCapability;
import io.packing.csi.rpc.v1.VolumeContentSource;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.process.Await;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import io.packing.seed.Seed;
import io.packing.transport.UnixSocketChannel;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * An orchestrator that makes, mounts, snapshots, clones and deletes volumes, while driver, server of the mount, worker and master are killed
 * in turn. It repeats failed calls, as an orchestrator does; a write that was synced is never lost, and a snapshot has what was there then.
 */
@Timeout(900)
@Tag("hunt")
class CsiKilledIT {
    private static final int ROUNDS = 4 * Integer.getInteger("packing.rounds", 1);
    private static final int FILES = 12;
    private static final long GIB = 1L << 30;
    private static final Duration START = Duration.ofMinutes(2);
    private static final Set<Status.Code> REPEATED =
            Set.of(Status.Code.UNAVAILABLE, Status.Code.ABORTED, Status.Code.INTERNAL, Status.Code.UNKNOWN);

    /** The processes that are killed. */
    private enum Part {
        DRIVER("CSI driver "),
        SERVER(""),
        WORKER("worker w"),
        MASTER("BDT master at ");

        private final String firstLine;

        Part(String firstLine) {
            this.firstLine = firstLine;
        }
    }

    // A failed round leaves its files, for the search of the cause.
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path home;

    private final Map<Part, JavaProcess> running = new EnumMap<>(Part.class);
    private final Random random = Seed.random();
    private final AtomicInteger written = new AtomicInteger();
    private List<Integer> ports = List.of();
    private Path staging;
    private Path target;
    private UnixSocketChannel channel;
    private ExecutorService killer;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        ports = Ports.free(2);
        staging = Files.createDirectory(home.resolve("staging"));
        target = home.resolve("target");
        start(Part.MASTER);
        start(Part.WORKER);
        start(Part.DRIVER);
        channel = UnixSocketChannel.open(home.resolve("csi.sock"));
        killer = Executors.newSingleThreadExecutor();
    }

    @AfterEach
    void stop() throws Exception {
        if (killer == null) {
            return;
        }
        killer.shutdownNow();
        assertThat(killer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        channel.close();
        for (KernelMountTable.Entry each : KernelMountTable.entries()) {
            if (each.directory().startsWith(home.toRealPath())) {
                KernelMountTable.unmount(each.directory());
            }
        }
        running.values().forEach(JavaProcess::close);
    }

    private void start(Part part) throws IOException, InterruptedException {
        await(part, JavaProcess.start(command(part), home.resolve("logs")));
    }

    private void await(Part part, JavaProcess process) throws IOException, InterruptedException {
        running.put(part, process);
        String unused = process.awaitLine(part.firstLine, START);
    }

    private static List<String> words(String line) {
        return List.of(line.split(" ", -1));
    }

    private JavaCommand command(Part part) throws IOException {
        String master = "127.0.0.1:" + ports.get(0);
        List<String> words = switch (part) {
            case MASTER ->
                words("bdt-master --data-dir %s --bind %s --store file://%s"
                        .formatted(home.resolve("master"), master, Files.createDirectories(home.resolve("store"))));
            case WORKER ->
                words("worker packing://%s/ --id w --port %d --buffer-dir %s --option packing.store=file://%s"
                        .formatted(master, ports.get(1), home.resolve("buffer"), home.resolve("store")));
            default ->
                words("csi --endpoint unix://%s --mount packing://%s/volumes --node-id n --state %s --timeout 2s"
                        .formatted(home.resolve("csi.sock"), master, home.resolve("state")));
        };
        return new JavaCommand(
                        part.name(),
                        "io.packing.cli.Main",
                        List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)),
                        256,
                        Map.of("packing.log", home.resolve(part + ".log").toString()),
                        words)
                .brief();
    }

    /**
     * Kills when so many files of the round are written, and starts again what it killed.
     *
     * @param next the part's next process, prepared before any file was open: one that starts now would close a file that waits for it
     */
    private Boolean kill(Part part, int files, boolean both, Optional<JavaProcess> next)
            throws IOException, InterruptedException {
        Await.until("files are written", START, () -> written.get() >= files);
        if (part == Part.SERVER) {
            for (ProcessHandle each : servers()) {
                boolean isServer = each.info().command().orElse("").endsWith("java");
                if (both || isServer) {
                    each.destroyForcibly();
                    each.onExit().join();
                }
            }
            return true;
        }
        Objects.requireNonNull(running.get(part)).kill();
        JavaProcess again = next.orElseThrow();
        again.begin();
        await(part, again);
        return true;
    }

    private List<ProcessHandle> servers() throws IOException {
        String below = home.toRealPath() + "/state/mounts";
        return ProcessHandle.allProcesses()
                .filter(each -> each.info()
                        .commandLine()
                        .filter(line -> line.contains(below))
                        .isPresent())
                .toList();
    }

    /** Repeats a call as an orchestrator does. */
    private static <T> T repeated(Supplier<T> call) throws IOException, InterruptedException {
        List<T> answers = new ArrayList<>();
        List<String> refusals = new ArrayList<>(List.of("none"));
        try {
            Await.until("an answer", START, () -> {
                try {
                    answers.add(call.get());
                    return true;
                } catch (StatusRuntimeException e) {
                    if (!REPEATED.contains(e.getStatus().getCode())) {
                        throw e;
                    }
                    refusals.set(0, e.toString());
                    return false;
                }
            });
        } catch (IOException e) {
            throw new IOException("the last refusal: " + refusals.get(0), e);
        }
        return answers.get(0);
    }

    private ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel.channel());
    }

    private NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel.channel());
    }

    private static VolumeCapability capability() {
        return VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                        .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
                .build();
    }

    private Volume create(String name, Optional<Snapshot> of) throws Exception {
        CreateVolumeRequest.Builder wish = CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(GIB))
                .addVolumeCapabilities(capability());
        of.ifPresent(snapshot -> wish.setVolumeContentSource(VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot.getSnapshotId()))));
        return repeated(() -> controller().createVolume(wish.build()).getVolume());
    }

    private void publish(Volume volume) throws Exception {
        Object staged = repeated(() -> node().nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(capability())
                .build()));
        assertThat(staged).isNotNull();
        assertThat((Object) repeated(() -> node().nodePublishVolume(publication(volume))))
                .isNotNull();
    }

    private NodePublishVolumeRequest publication(Volume volume) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(capability())
                .build();
    }

    private void unpublish(Volume volume) throws Exception {
        Object gone = repeated(() -> node().nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setTargetPath(target.toString())
                .build()));
        assertThat(gone).isNotNull();
        Object unstaged = repeated(() -> node().nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .build()));
        assertThat(unstaged).isNotNull();
    }

    private static byte[] bytes(int round, int file) {
        return "round %d, file %d\n"
                .formatted(round, file)
                .repeat(50 * (file + 1))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Writes a file and syncs it, until that is answered; a dead mount is mended by the next call of the orchestrator. */
    private void write(Volume volume, int round, int file) throws Exception {
        Path path = target.resolve("f" + file);
        Await.until("file %d is synced".formatted(file), START, () -> {
            try (FileChannel out = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer left = ByteBuffer.wrap(bytes(round, file));
                while (left.hasRemaining()) {
                    int unused = out.write(left);
                }
                out.force(true);
                return true;
            } catch (IOException e) {
                Object unused = repeated(() -> node().nodePublishVolume(publication(volume)));
                return false;
            }
        });
        int unused = written.incrementAndGet();
    }

    private void check(Volume volume, int round, int files) throws Exception {
        publish(volume);
        for (int i = 0; i < files; i++) {
            assertThat(Files.readAllBytes(target.resolve("f" + i)))
                    .as("file %d of volume %s of round %d", i, volume.getVolumeId(), round)
                    .isEqualTo(bytes(round, i));
        }
        assertThat(target.resolve("f" + files)).doesNotExist();
        unpublish(volume);
    }

    private void round(int round, Part victim) throws Exception {
        written.set(0);
        int files = random.nextInt(2 * FILES);
        // Each second time with its keeper: then the mount is gone, and has to be mended.
        boolean both = random.nextBoolean();
        Optional<JavaProcess> next = victim == Part.SERVER
                ? Optional.empty()
                : Optional.of(JavaProcess.prepare(command(victim), home.resolve("logs")));
        Future<Boolean> killed = killer.submit(() -> kill(victim, files, both, next));
        Volume volume = create("volume-" + round, Optional.empty());
        publish(volume);
        for (int i = 0; i < FILES; i++) {
            write(volume, round, i);
        }
        Snapshot snapshot = repeated(() -> controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName("snapshot-" + round)
                        .setSourceVolumeId(volume.getVolumeId())
                        .build())
                .getSnapshot());
        for (int i = FILES; i < 2 * FILES; i++) {
            write(volume, round, i);
        }
        Volume clone = create("clone-" + round, Optional.of(snapshot));
        assertThat(killed.get()).isTrue();
        unpublish(volume);
        check(clone, round, FILES);
        check(volume, round, 2 * FILES);
    }

    @Test
    void whateverIsKilledLosesNoSyncedByteNoVolumeAndNoSnapshot() throws Exception {
        List<Part> victims = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            if (victims.isEmpty()) {
                victims.addAll(List.of(Part.values()));
                Collections.shuffle(victims, random);
            }
            round(round, victims.remove(0));
        }
        ListVolumesResponse volumes = repeated(() -> controller().listVolumes(ListVolumesRequest.getDefaultInstance()));
        assertThat(volumes.getEntriesCount()).isEqualTo(2 * ROUNDS);
        ListSnapshotsResponse snapshots =
                repeated(() -> controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance()));
        assertThat(snapshots.getEntriesCount()).isEqualTo(ROUNDS);
        // The first volumes are as they were, whatever was killed since.
        check(create("volume-0", Optional.empty()), 0, 2 * FILES);
        for (ListVolumesResponse.Entry each : volumes.getEntriesList()) {
            assertThat((Object) repeated(() -> controller()
                            .deleteVolume(DeleteVolumeRequest.newBuilder()
                                    .setVolumeId(each.getVolume().getVolumeId())
                                    .build())))
                    .isNotNull();
        }
        for (ListSnapshotsResponse.Entry each : snapshots.getEntriesList()) {
            assertThat((Object) repeated(() -> controller()
                            .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                                    .setSnapshotId(each.getSnapshot().getSnapshotId())
                                    .build())))
                    .isNotNull();
        }
        assertThat(repeated(() -> controller().listVolumes(ListVolumesRequest.getDefaultInstance()))
                        .getEntriesCount())
                .isZero();
        assertThat(servers()).isEmpty();
    }
}
