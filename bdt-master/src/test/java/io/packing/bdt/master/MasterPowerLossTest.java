// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Maps;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.durable.DurableDirectory;
import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.seed.Seed;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whenever the power of a master's machine goes, and whatever of the unforced writes and names goes with it, its tables
 * have every mutation that was answered, vectors whole, and snapshots see what they saw. Repeat a run with
 * {@code -Dpacking.seed=N}; {@code -Dpacking.power.lives=N} plays so many masters, and {@code -Dpacking.power.starts=N} loses
 * the power of each at 2N points.
 */
@Timeout(60)
@Tag("hunt")
class MasterPowerLossTest {
    /** Losses of each life after which the master starts: that takes some tenths of a second. */
    private static final int STARTS = Integer.getInteger("packing.power.starts", 15);

    private static final int STEPS = 40;

    private static final HexFormat HEX = HexFormat.of();

    private static final Loss[] LOSSES = Loss.values();
    private static final Map<String, String> MOUNT = Map.of("packing.store", "file:///test");
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);

    /** The path that a master makes after a loss. */
    private static final FilePath MORE = new FilePath("/more");

    private Random fate = new Random(Seed.value());

    /** A master's machine and its stores; {@code answered} mutations are done, one more may be. */
    private static final class Machine implements Stores {
        private final PowerDisk disk;
        private final InMemoryObjectStore objects = new InMemoryObjectStore();
        private final String fate;
        private volatile int answered;
        /** States that may be there at the most. */
        private volatile int begun;

        Machine(PowerDisk disk, String fate) {
            this.disk = disk;
            this.fate = fate;
        }

        /** Returns the machine after a power loss; the backing store is elsewhere. */
        Machine afterLoss(Loss loss, Random random) {
            try {
                // Other threads go on meanwhile, so the answered count is read first, and the disk last.
                int before = answered;
                Machine left = new Machine(disk.afterLoss(loss, random), fate + ", " + loss);
                left.answered = before;
                for (ObjectInfo object : objects.list("", "", 1_000)) {
                    ByteBuffer bytes = objects.get(object.key(), 0, (int) object.length());
                    left.objects.put(object.key(), bytes, PutCondition.NONE);
                }
                left.begun = begun;
                return left;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        BdtMaster start() throws IOException {
            // After a loss of power nothing on the disk proves that the process before has ended: the operator says so.
            return BdtMaster.start(
                    TestStores.config(disk.root().resolve("bdt").resolve("data"))
                            .takingOver(),
                    this);
        }

        @Override
        public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
            // As the engines do: they make and force their directories.
            return disk.table(DurableDirectory.create(directory));
        }

        @Override
        public ObjectStore objects(Map<String, String> options) {
            return objects;
        }
    }

    private final List<Machine> losses = new CopyOnWriteArrayList<>();
    /** The state after each mutation: every path of the present and of snapshots. */
    private final List<Map<String, String>> states = new CopyOnWriteArrayList<>();

    private ByteModel model = new ByteModel();

    private void lose(Machine machine) {
        losses.add(machine.afterLoss(Loss.ALL, fate));
        losses.add(machine.afterLoss(LOSSES[fate.nextInt(LOSSES.length)], fate));
    }

    private void live(Machine machine, Random random) throws IOException {
        machine.disk.onForce(disk -> lose(machine));
        states.add(model.entries(HEX::formatHex));
        RandomOperations draw = new RandomOperations(random);
        BdtMaster master = machine.start();
        try {
            Bdt table = master.open(MOUNT);
            WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(10)) {
                    case 0, 1, 2 -> claim(machine, session, draw.path());
                    case 3, 4 -> apply(machine, table, List.of(draw.snapshotOperation(model)));
                    case 5 -> apply(machine, table, draw.drop(model).stream().toList());
                    case 6 -> table.checkpoint();
                    default -> {
                        List<Operation> operations = new ArrayList<>();
                        for (int more = random.nextInt(4); more >= 0; more--) {
                            operations.add(draw.operation(model));
                        }
                        apply(machine, table, operations);
                    }
                }
                lose(machine);
            }
        } finally {
            master.kill();
        }
    }

    private void claim(Machine machine, WorkerSession session, String path) throws IOException {
        long id = session.newFileId();
        ByteModel after = model.copy();
        boolean granted = after.write(path, bytes(id, (int) FILE.length()));
        begin(machine, after, granted);
        ClaimResult result = session.claim(new Claim(id, new FilePath(path), FILE, true, true))
                .join();
        assertThat(result instanceof ClaimResult.Granted)
                .as("%s: %s", path, result)
                .isEqualTo(granted);
        machine.answered = states.size() - 1;
    }

    private void apply(Machine machine, Bdt table, List<Operation> operations) throws IOException {
        if (operations.isEmpty()) {
            return;
        }
        ByteModel after = model.copy();
        boolean applied = operations.stream().allMatch(after::apply);
        begin(machine, after, applied);
        try {
            VectorResult result = table.apply(new OperationVector(List.of(), operations));
            assertThat(result instanceof VectorResult.Applied)
                    .as("%s: %s", operations, result)
                    .isEqualTo(applied);
        } catch (IllegalArgumentException e) {
            // The directory has snapshots.
            assertThat(applied).as("%s: %s", operations, e).isFalse();
        }
        machine.answered = states.size() - 1;
    }

    /** The next state may be there from now on, if there is one. */
    private void begin(Machine machine, ByteModel after, boolean changes) {
        if (changes) {
            model = after;
            states.add(after.entries(HEX::formatHex));
            machine.begun = states.size() - 1;
        }
    }

    /** Returns a file's bytes: they are in no store, but name their file. */
    private static byte[] bytes(long id, int length) {
        return ByteBuffer.allocate(length).putLong(id).array();
    }

    private static String seen(Bdt table, FileStatus file) throws IOException {
        int length = (int) file.attributes().length();
        LocatedFile located = table.locate(file.path()).orElseThrow();
        if (length == 0 || !(located.placement() instanceof Placement.Mapped mapped)) {
            return HEX.formatHex(
                    length == 0 ? new byte[0] : bytes(file.version().id(), length));
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (Placement.Piece piece : mapped.pieces()) {
            FileStatus content = piece.content().status();
            byte[] source =
                    bytes(content.version().id(), (int) content.attributes().length());
            all.put((int) piece.offset(), source, (int) piece.contentOffset(), (int) piece.length());
        }
        return HEX.formatHex(all.array());
    }

    /** Starts on what a loss left, and does one thing more; the power may go again at every force of that. */
    private void check(Machine left, List<Machine> again) throws IOException {
        int answered = left.answered;
        left.disk.onForce(disk -> again.add(left.afterLoss(LOSSES[fate.nextInt(LOSSES.length)], fate)));
        BdtMaster master = left.start();
        try {
            Bdt table = master.open(MOUNT);
            Map<String, String> found = TableEntries.of(table, file -> seen(table, file));
            // From the check before this one.
            found.remove(MORE.value());
            List<Map<String, String>> right = states.subList(answered, Math.max(answered, left.begun) + 1);
            assertThat(right)
                    .as(() -> "%s, after %d answers: last and found: %s"
                            .formatted(left.fate, answered, Maps.difference(right.get(0), found)))
                    .anyMatch(found::equals);
            ModelRuns.count(ModelRuns.Count.POWER_LOSSES);
            Outcome made = table.mkdir(MORE, new DirectoryAttributes("u", "g", 0755), true);
            assertThat(made).as(left.fate).isIn(Outcome.DONE, Outcome.EXISTS);
        } finally {
            master.kill();
        }
        again.add(left.afterLoss(LOSSES[fate.nextInt(LOSSES.length)], fate));
    }

    /** A life for each seed. */
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("packing.power.lives", 1)).map(life -> Seed.value() + life);
    }

    @AfterAll
    static void tell() {
        System.out.printf("MasterPowerLossTest: %s%n", ModelRuns.soFar());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anAnsweredMutationSurvivesPowerLossAtAnyPoint(long seed) throws IOException {
        System.out.printf("MasterPowerLossTest: seed %d%n", seed);
        fate = new Random(seed + 1);
        live(new Machine(new PowerDisk(), "seed " + seed), new Random(seed));
        assertThat(losses).hasSizeGreaterThan(100);
        List<Machine> some = new ArrayList<>(losses);
        Collections.shuffle(some, fate);
        for (Machine left : some.subList(0, Math.min(STARTS, some.size()))) {
            List<Machine> again = new ArrayList<>();
            check(left, again);
            check(again.get(fate.nextInt(again.size())), new ArrayList<>());
        }
    }
}
