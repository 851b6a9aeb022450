// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.MapDifference;
import com.google.common.collect.Maps;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.ModelRuns.Count;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A comparison of random operations with a model that copies bytes. Operations are writes, clones, moves, deletions, renames,
 * vectors of them with preconditions, and snapshots. Pushes, upkeep, backups, restarts, crashes, rebuilds from the store and
 * older copies of the directories come between and during them. Repeat a run with {@code -Dpacking.seed=N};
 * {@code -Dpacking.model.rounds=N} makes it long.
 */
@Tag("hunt")
class SharedBytesModelTest extends RolledBackFixture {
    private static final HexFormat HEX = HexFormat.of();
    private static final UpkeepByHand.Kind[] KINDS = UpkeepByHand.Kind.values();
    private static final int STEPS = 300;
    private static final int EXTENT_BYTES = ModelWorker.EXTENT_BYTES;
    /** Rounds after which a long run says where it is. */
    private static final int TOLD = 100;

    /** The rounds that this process has played. */
    private static int rounds;

    private ByteModel model = new ByteModel();
    private Random random;
    private RandomOperations draw;
    private RandomPreconditions drawPreconditions;
    private ModelWorker worker;
    /** The bytes of each version that was ever seen. */
    private final Map<FileVersion, String> versions = new HashMap<>();

    @BeforeEach
    void begin() {
        begin(Seed.value());
    }

    private void begin(long seed) {
        random = new Random(seed);
        draw = new RandomOperations(random);
        drawPreconditions = new RandomPreconditions(random, draw);
        worker = new ModelWorker(stores.objects, work, random);
    }

    @AfterAll
    static void tell() {
        System.out.printf("SharedBytesModelTest: %d rounds: %s%n", rounds, ModelRuns.soFar());
    }

    @ParameterizedTest
    @MethodSource("io.packing.bdt.master.ModelRuns#seeds")
    void aTableThatSharesBytesLooksLikeOneThatCopiesThem(long seed) throws IOException {
        begin(seed);
        if (rounds++ % TOLD == 0) {
            System.out.printf("SharedBytesModelTest: seed %d, after %s%n", seed, ModelRuns.soFar());
        }
        for (int step = 0; step < STEPS; step++) {
            String what = "seed %d step %d: ".formatted(seed, step);
            try {
                what += step();
                compare(what);
                stepped();
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError(what + " " + e.getMessage(), e);
            }
            ModelRuns.count(Count.OPERATIONS);
        }
        dropSnapshots();
        for (FileStatus entry : table.list(FilePath.ROOT, "", 100).orElseThrow()) {
            assertThat(model.delete(entry.path().value())).isTrue();
            assertThat(table.delete(entry.path(), true)).isEqualTo(Outcome.DONE);
        }
        assertThat(model.isEmpty()).isTrue();
        removeDeletedTrees();
        doUpkeep();
        nothingIsLeft("seed %d".formatted(seed));
    }

    /** Called after each step that the model agrees with. */
    void stepped() throws IOException {}

    private void nothingIsLeft(String seed) throws IOException {
        for (byte kind :
                new byte[] {Keys.MAP, Keys.CONTENT, Keys.REFERRER, Keys.INODE, Keys.ENTRY, 'v', 'l', 'k', 's', 'y'}) {
            assertThat(rowsOf(kind)).as("%s: rows %c", seed, (char) kind).isZero();
        }
        assertThat(rowsOf(Keys.TRIM)).as("%s: contents to look at", seed).isZero();
        awaitStatistics();
        assertThat(table.statistics().bufferedFiles()).as(seed).isZero();
        assertThat(table.statistics().packedBytes()).as(seed).isZero();
        worker.report(session);
        assertThat(table.statistics().deadBytes())
                .as(seed)
                .isEqualTo(table.statistics().blobBytes());
        // What was reported now is dead from the next change on.
        assertThat(table.mkdir(new FilePath("/last"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
        byHand().collect();
        assertThat(stores.objects.keys(BlobName.FOLDER)).as(seed).isEmpty();
        assertThat(table.statistics().blobBytes()).as(seed).isZero();
    }

    private String step() throws IOException {
        switch (random.nextInt(30)) {
            case 0, 1, 2, 3, 4 -> {
                return write();
            }
            case 5 -> {
                worker.pushSome();
                return "push";
            }
            case 6 -> {
                worker.report(session);
                return "report";
            }
            case 7 -> {
                return random.nextInt(4) == 0 ? restart() : "nothing";
            }
            case 8 -> {
                return random.nextInt(4) == 0 ? rebuild() : "nothing";
            }
            case 9, 10, 11 -> {
                return vector(List.of(), List.of(draw.snapshotOperation(model)));
            }
            case 12 -> {
                Optional<Operation> drop = draw.drop(model);
                return drop.isPresent() ? vector(List.of(), List.of(drop.get())) : "nothing";
            }
            case 13, 14 -> {
                return upkeep();
            }
            case 15 -> {
                return new ModelQuotas(random).change(table, model);
            }
            case 16 -> {
                return rollBack(worker, random);
            }
            case 17 -> {
                return append();
            }
            default -> {
                return vector();
            }
        }
    }

    private String write() throws IOException {
        byte[] bytes = new byte[random.nextInt(RandomOperations.MOST_BYTES)];
        random.nextBytes(bytes);
        List<byte[]> before = worker.written();
        boolean again = !before.isEmpty() && random.nextInt(3) == 0;
        return write(draw.path(), again ? before.get(random.nextInt(before.size())) : bytes, again);
    }

    private String write(String path, byte[] bytes, boolean mayShare) throws IOException {
        Claim claim = hashed(session.newFileId(), new FilePath(path), bytes);
        Optional<ClaimResult> shared = mayShare ? share(claim) : Optional.empty();
        ClaimResult result = shared.orElseGet(() -> session.claim(claim).join());
        assertThat(result instanceof ClaimResult.Granted).isEqualTo(model.write(path, bytes));
        if (shared.isEmpty() && result instanceof ClaimResult.Granted granted) {
            worker.hold(new Reclaim(granted.version(), claim.path(), claim.attributes()), bytes);
        }
        return "write %d bytes to %s: %s".formatted(bytes.length, path, result);
    }

    private String append() throws IOException {
        ModelAppend append = new ModelAppend(table, session, worker, random);
        model = append.append(model, new FilePath(draw.path()));
        return append.what();
    }

    private String vector() throws IOException {
        List<Operation> operations = new ArrayList<>();
        for (int i = random.nextInt(4) == 0 ? random.nextInt(6) : 0; i >= 0; i--) {
            operations.add(draw.operation(model));
        }
        return vector(drawPreconditions.some(model, table), operations);
    }

    private String vector(List<Precondition> preconditions, List<Operation> operations) throws IOException {
        Optional<VectorResult> unmet = RandomPreconditions.refusal(preconditions, model, table);
        ByteModel after = model.copy();
        int refused = -1;
        for (int i = 0; i < operations.size() && refused < 0; i++) {
            refused = after.apply(operations.get(i)) ? -1 : i;
        }
        VectorResult result;
        try {
            result = table.apply(new OperationVector(preconditions, operations));
        } catch (IllegalArgumentException e) {
            assertThat(e).as("%s", operations).hasMessageContaining("has the snapshot");
            assertThat(refused).as("%s: %s", operations, e.getMessage()).isNotNegative();
            assertThat(unmet).as("%s: %s", preconditions, e.getMessage()).isEmpty();
            ModelRuns.count(Count.SNAPSHOTS_GUARDED);
            return operations + ": " + e.getMessage();
        }
        String what = preconditions + " " + operations + ": " + result;
        if (unmet.isPresent()) {
            assertThat(result).as(what).isEqualTo(unmet.get());
            ModelRuns.count(Count.PRECONDITIONS_FAILED);
        } else if (refused < 0) {
            assertThat(result).as(what).isInstanceOf(VectorResult.Applied.class);
            model = after;
            ModelRuns.countApplied(preconditions, operations);
        } else {
            assertThat(result).as(what).isInstanceOf(VectorResult.Refused.class);
            VectorResult.Refused refusal = (VectorResult.Refused) result;
            assertThat(refusal.kind()).as(what).isEqualTo(VectorResult.Kind.OPERATION);
            assertThat(refusal.index()).as(what).isEqualTo(refused);
            ModelRuns.count(Count.VECTORS_REFUSED);
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
        worker.pushAll();
        worker.report(session);
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
            assertThat(worker.read(table.locate(new FilePath(path)).orElseThrow()))
                    .isEqualTo(punched);
        }
    }

    private void dropSnapshots() throws IOException {
        for (Operation drop : RandomOperations.drops(model)) {
            assertThat(model.apply(drop)).isTrue();
            assertThat(table.apply(OperationVector.of(drop))).isInstanceOf(VectorResult.Applied.class);
        }
    }

    private static Operation copy(String from, String to) {
        return new Operation.CloneFile(new FilePath(from), new FilePath(to), false, AttributeChange.NONE);
    }

    /** Until there is nothing to trim. */
    private void doUpkeep() throws IOException {
        UpkeepByHand upkeep = byHand();
        for (int steps = 0; upkeep.trim(); steps++) {
            assertThat(steps).as("steps of upkeep").isLessThan(20_000);
        }
    }

    private UpkeepByHand byHand() throws IOException {
        // Most blobs are sparse below that.
        return new UpkeepByHand(master.openMount(TestStores.MOUNT), stores.objects, work, 0.9);
    }

    /** Some upkeep, in the middle of which the master may end. */
    private String upkeep() throws IOException {
        boolean ends = random.nextInt(3) == 0;
        boolean lost = ends && random.nextBoolean();
        if (lost) {
            master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        }
        if (ends) {
            stores.objects.endAfter(random.nextInt(8), random.nextBoolean());
        }
        UpkeepByHand.Kind kind = KINDS[random.nextInt(KINDS.length)];
        String what = kind.toString();
        try {
            byHand().work(kind, random, table);
        } catch (IOException e) {
            assertThat(ends).as("%s: %s", what, e).isTrue();
            what += " until " + e.getMessage();
        }
        if (!ends) {
            return what;
        }
        master.kill();
        stores.objects.goOn();
        ModelRuns.count(Count.ENDED_IN_UPKEEP);
        if (lost) {
            rebuilt();
        } else {
            crashed();
        }
        return "%s, then %s".formatted(what, lost ? "a rebuild" : "a crash");
    }

    /** Restarts the worker, and maybe the master. */
    private String restart() throws IOException {
        if (random.nextBoolean()) {
            crashed();
            return "crash";
        }
        registered();
        return "restart of the worker";
    }

    private void crashed() throws IOException {
        crashMaster();
        ModelRuns.count(Count.CRASHES);
        registered();
    }

    private void registered() throws IOException {
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        worker.report(session);
        worker.reclaim(session);
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
        if (!workerLives) {
            worker.pushAll();
        }
        rebuilt();
        return "rebuild, backup %s, worker lives %s".formatted(backup, workerLives);
    }

    private void rebuilt() throws IOException {
        worker.reportNothing();
        loseMaster();
        ModelRuns.count(Count.REBUILDS);
        worker.reclaim(session);
    }

    private void compare(String what) throws IOException {
        Map<String, String> wanted = model.entries(HEX::formatHex);
        Map<String, String> found = TableEntries.of(table, status -> bytes(status, what));
        // Not all that is there, but what differs.
        MapDifference<String, String> difference = Maps.difference(wanted, found);
        assertThat(difference.areEqual())
                .as("%s: wanted and found: %s", what, difference)
                .isTrue();
        model.links().compare(table, rowsOf(Keys.REAP) == 0, what);
        ModelQuotas.compare(table, model.hadLinks(), what);
        ModelRuns.count(Count.COMPARISONS);
    }

    /** Returns a file's bytes, and checks that its version never changes them. */
    private String bytes(FileStatus status, String what) throws IOException {
        String bytes = HEX.formatHex(worker.read(
                table.locate(status.path()).orElseThrow(() -> new AssertionError(what + " nowhere: " + status))));
        assertThat(versions.computeIfAbsent(status.version(), first -> bytes))
                .as("%s: %s", what, status)
                .isEqualTo(bytes);
        return bytes;
    }
}
