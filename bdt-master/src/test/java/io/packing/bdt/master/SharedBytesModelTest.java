package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.Keys;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.seed.Seed;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random writes, clones, moves, deletions, renames and vectors of them, snapshots, pushes, restarts, crashes of the master and rebuilds from the
 * store against a model that copies bytes. Repeat a run with {@code -Dpacking.seed=N}; {@code -Dpacking.model.rounds=N} makes it long.
 */
class SharedBytesModelTest extends MountFixture {
    private static final HexFormat HEX = HexFormat.of();
    private static final int STEPS = 300;
    private static final int EXTENT_BYTES = 7;

    private ByteModel model = new ByteModel();
    private Random random = Seed.random();
    private RandomOperations draw = new RandomOperations(random);
    /** What the worker has in its buffer. */
    private final List<Reclaim> held = new ArrayList<>();

    private final List<Heartbeat> unreported = new ArrayList<>();
    /** What was written, by file id. */
    private final Map<Long, byte[]> written = new HashMap<>();

    private final Map<BlobName, byte[]> blobs = new HashMap<>();

    @ParameterizedTest
    @MethodSource("io.packing.bdt.master.ModelRuns#seeds")
    void aTableThatSharesBytesLooksLikeOneThatCopiesThem(long seed) throws IOException {
        System.out.printf("SharedBytesModelTest: seed %d%s%n", seed, ModelRuns.soFar());
        random = new Random(seed);
        draw = new RandomOperations(random);
        for (int step = 0; step < STEPS; step++) {
            String what = "seed %d step %d: ".formatted(seed, step);
            what += step();
            compare(what);
            ModelRuns.step();
        }
        dropSnapshots();
        for (FileStatus entry : table.list(FilePath.ROOT, "", 100).orElseThrow()) {
            assertThat(model.delete(entry.path().value())).isTrue();
            assertThat(table.delete(entry.path(), true)).isEqualTo(Outcome.DONE);
        }
        assertThat(model.isEmpty()).isTrue();
        removeDeletedTrees();
        doUpkeep();
        for (byte kind : new byte[] {Keys.CONTENT, Keys.REFERRER, Keys.INODE, Keys.ENTRY, 'v', 'l', 'k', 's'}) {
            assertThat(rowsOf(kind)).as("seed %d: rows %c", seed, (char) kind).isZero();
        }
        assertThat(rowsOf(Keys.TRIM)).as("seed %d: contents to look at", seed).isZero();
        awaitStatistics();
        assertThat(table.statistics().bufferedFiles()).as("seed %d", seed).isZero();
        assertThat(table.statistics().packedBytes()).as("seed %d", seed).isZero();
        report();
        assertThat(table.statistics().deadBytes())
                .as("seed %d", seed)
                .isEqualTo(table.statistics().blobBytes());
    }

    private String step() throws IOException {
        switch (random.nextInt(23)) {
            case 0, 1, 2, 3, 4 -> {
                return write();
            }
            case 5 -> {
                push();
                return "push";
            }
            case 6 -> {
                report();
                return "report";
            }
            case 7 -> {
                if (random.nextInt(4) == 0) {
                    restart();
                    return "restart";
                }
            }
            case 8 -> {
                if (random.nextInt(4) == 0) {
                    return rebuild();
                }
            }
            case 9, 10, 11 -> {
                return vector(List.of(draw.snapshotOperation(model)));
            }
            default -> {
                return vector();
            }
        }
        return "nothing";
    }

    private String write() throws IOException {
        byte[] bytes = new byte[random.nextInt(RandomOperations.MOST_BYTES)];
        random.nextBytes(bytes);
        List<byte[]> before = List.copyOf(written.values());
        boolean again = !before.isEmpty() && random.nextInt(3) == 0;
        return write(draw.path(), again ? before.get(random.nextInt(before.size())) : bytes, again);
    }

    private String write(String path, byte[] bytes, boolean mayShare) throws IOException {
        Claim claim = hashed(session.newFileId(), new FilePath(path), bytes);
        Optional<ClaimResult> shared = mayShare ? share(claim) : Optional.empty();
        ClaimResult result = shared.orElseGet(() -> session.claim(claim).join());
        assertThat(result instanceof ClaimResult.Granted).isEqualTo(model.write(path, bytes));
        if (shared.isEmpty() && result instanceof ClaimResult.Granted granted) {
            written.put(claim.fileId(), bytes);
            held.add(new Reclaim(granted.version(), claim.path(), claim.attributes()));
        }
        return "write %d bytes to %s: %s".formatted(bytes.length, path, result);
    }

    private String vector() throws IOException {
        List<Operation> operations = new ArrayList<>();
        for (int i = random.nextInt(4) == 0 ? random.nextInt(6) : 0; i >= 0; i--) {
            operations.add(draw.operation(model));
        }
        return vector(operations);
    }

    private String vector(List<Operation> operations) throws IOException {
        ByteModel after = model.copy();
        int refused = -1;
        for (int i = 0; i < operations.size() && refused < 0; i++) {
            refused = after.apply(operations.get(i)) ? -1 : i;
        }
        VectorResult result;
        try {
            result = table.apply(new OperationVector(List.of(), operations));
        } catch (IllegalArgumentException e) {
            assertThat(e).as("%s", operations).hasMessageContaining("has the snapshot");
            assertThat(refused).as("%s: %s", operations, e.getMessage()).isNotNegative();
            return operations + ": " + e.getMessage();
        }
        String what = operations + ": " + result;
        if (refused < 0) {
            assertThat(result).as(what).isInstanceOf(VectorResult.Applied.class);
            model = after;
        } else {
            assertThat(result).as(what).isInstanceOf(VectorResult.Refused.class);
            assertThat(((VectorResult.Refused) result).index()).as(what).isEqualTo(refused);
        }
        return what;
    }

    @Test
    void bytesThatNoFileHasAreGivenUpAndTheOthersStay() throws IOException {
        byte[] bytes = new byte[4 * EXTENT_BYTES];
        random.nextBytes(bytes);
        for (String path : List.of("/a", "/b")) {
            write(path, bytes, false);
        }
        push(List.copyOf(held));
        held.clear();
        report();
        long live = liveBytes();
        // Of each file the second extent, and half of the third, which therefore stays.
        for (String path : List.of("/a", "/b")) {
            ByteRange hole = new ByteRange(new FilePath(path), EXTENT_BYTES, EXTENT_BYTES + EXTENT_BYTES / 2);
            Operation[] both = {new Operation.DeleteRange(hole), copy("/a", "/c")};
            assertThat(table.apply(path.equals("/a") ? OperationVector.of(both) : OperationVector.of(both[0])))
                    .isInstanceOf(VectorResult.Applied.class);
        }
        doUpkeep();
        assertThat(liveBytes()).isEqualTo(live - 2 * EXTENT_BYTES);
        byte[] punched = bytes.clone();
        Arrays.fill(punched, EXTENT_BYTES, 2 * EXTENT_BYTES + EXTENT_BYTES / 2, (byte) 0);
        for (String path : List.of("/a", "/b", "/c")) {
            assertThat(read(table.locate(new FilePath(path)).orElseThrow())).isEqualTo(punched);
        }
    }

    private void dropSnapshots() throws IOException {
        for (Operation drop : model.drops()) {
            assertThat(model.apply(drop)).isTrue();
            assertThat(table.apply(OperationVector.of(drop))).isInstanceOf(VectorResult.Applied.class);
        }
    }

    private static Operation copy(String from, String to) {
        return new Operation.CloneFile(new FilePath(from), new FilePath(to), false, AttributeChange.NONE);
    }

    /** Until there is nothing to trim. */
    private void doUpkeep() throws IOException {
        for (int idle = 0; rowsOf(Keys.TRIM) > 0 || rowsOf((byte) 's') > 0; ) {
            idle = master.openMount(TestStores.MOUNT).upkeep().step() ? 0 : idle + 1;
            assertThat(idle).as("steps of upkeep that leave rows").isLessThan(20_000);
        }
    }

    /** Pushes some of what the worker holds, in several extents each; the master hears of it later. */
    private void push() throws IOException {
        List<Reclaim> some = new ArrayList<>();
        held.removeIf(file -> random.nextBoolean() && some.add(file));
        if (!some.isEmpty()) {
            push(some);
        }
    }

    private void push(List<Reclaim> files) throws IOException {
        Path file = Files.createTempFile(work, "blob", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            for (Reclaim each : files) {
                byte[] bytes = written(each.version().id());
                List<Extent> extents = new ArrayList<>();
                for (int at = 0; at < bytes.length; at += EXTENT_BYTES) {
                    extents.add(
                            writer.append(at, ByteBuffer.wrap(bytes, at, Math.min(EXTENT_BYTES, bytes.length - at))));
                }
                packed.add(new PackedFile(each.version(), each.path(), each.attributes(), extents));
            }
            finished = writer.finish(packed);
        }
        BlobName name = new BlobName("w", finished.footerOffset(), timestamp++);
        blobs.put(name, Files.readAllBytes(file));
        stores.objects.put("blobs/" + name.key(), file, PutCondition.NONE);
        unreported.add(new Heartbeat(
                0,
                0,
                List.of(new PushedBlob(name, finished.length())),
                packed.stream()
                        .map(each -> new CommittedFile(
                                each.version(),
                                each.extents().stream()
                                        .map(extent -> new BlobExtent(name, extent))
                                        .toList()))
                        .toList()));
    }

    private void report() throws IOException {
        for (Heartbeat heartbeat : unreported) {
            for (long over : session.heartbeat(heartbeat).forget()) {
                held.removeIf(file -> file.version().id() == over);
            }
        }
        unreported.clear();
    }

    /** Of the worker, and maybe of the master. */
    private void restart() throws IOException {
        if (random.nextBoolean()) {
            crashMaster();
            ModelRuns.crash();
        }
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        report();
        reclaim();
    }

    private void reclaim() throws IOException {
        List<Optional<FileVersion>> kept = session.reclaim(held);
        session.reclaimed();
        for (int i = kept.size() - 1; i >= 0; i--) {
            if (kept.get(i).isEmpty()) {
                held.remove(i);
            }
        }
    }

    /** The master loses its table. The worker may lose its buffer, too, when everything in it was pushed. */
    private String rebuild() throws IOException {
        boolean workerLives = random.nextBoolean();
        boolean backup = random.nextBoolean();
        if (backup) {
            table.checkpoint();
        } else {
            master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        }
        if (!workerLives && !held.isEmpty()) {
            push(List.copyOf(held));
            held.clear();
        }
        unreported.clear();
        loseMaster();
        ModelRuns.crash();
        reclaim();
        return "rebuild, backup %s, worker lives %s".formatted(backup, workerLives);
    }

    private void compare(String what) throws IOException {
        Map<String, String> wanted = model.entries(HEX::formatHex);
        Map<String, FileStatus> names = names();
        for (String directory : model.directoriesAndRoot()) {
            FilePath snapshots = new FilePath(directory).child(FilePath.SNAPSHOTS);
            List<FileStatus> taken = table.list(snapshots, "", 1_000).orElseThrow();
            assertThat(taken.stream().map(each -> each.path().name()))
                    .as("%s snapshots of %s", what, directory)
                    .containsExactlyElementsOf(model.snapshots()
                            .getOrDefault(directory, new TreeMap<>())
                            .keySet());
            for (FileStatus each : taken) {
                list(each.path(), names);
            }
        }
        Map<String, String> found = new TreeMap<>();
        for (FileStatus status : names.values()) {
            found.put(
                    status.path().value(),
                    status.isDirectory()
                            ? "directory"
                            : HEX.formatHex(read(table.locate(status.path())
                                    .orElseThrow(() -> new AssertionError(what + " nowhere: " + status)))));
        }
        assertThat(found).as(what).isEqualTo(wanted);
    }

    private byte[] read(LocatedFile file) {
        int length = (int) file.status().attributes().length();
        ByteBuffer bytes = ByteBuffer.allocate(length);
        if (file.placement() instanceof Placement.Mapped mapped) {
            for (Placement.Piece piece : mapped.pieces()) {
                byte[] content = read(piece.content());
                bytes.put((int) piece.offset(), content, (int) piece.contentOffset(), (int) piece.length());
            }
        } else if (file.placement() instanceof Placement.Packed packed) {
            for (BlobExtent located : packed.extents()) {
                Extent extent = located.extent();
                bytes.put(
                        (int) extent.fileOffset(),
                        Objects.requireNonNull(blobs.get(located.blob())),
                        (int) extent.blobOffset(),
                        extent.length());
            }
        } else if (file.placement() instanceof Placement.Buffered) {
            long id = file.status().version().id();
            boolean buffered = held.stream().anyMatch(each -> each.version().id() == id)
                    || unreported.stream()
                            .flatMap(heartbeat -> heartbeat.files().stream())
                            .anyMatch(each -> each.version().id() == id);
            assertThat(buffered)
                    .as("version %s is in the buffer", file.status().version())
                    .isTrue();
            bytes.put(0, written(id));
        } else {
            throw new AssertionError("%s is %s".formatted(file.status(), file.placement()));
        }
        return bytes.array();
    }

    private byte[] written(long id) {
        return Objects.requireNonNull(written.get(id), "what was written as " + id);
    }
}
