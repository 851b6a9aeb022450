package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.power.PowerStore;
import io.packing.seed.Seed;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreConfig;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whenever the power of a master's machine goes, and whatever of the unforced writes and names goes with it, its tables
 * have every mutation that was answered. Repeat a run with {@code -Dpacking.seed=N}.
 */
@Timeout(60)
class MasterPowerLossTest {
    /** A start and an end take some tenths of a second. */
    private static final int STARTS = 15;

    private static final Loss[] LOSSES = Loss.values();
    private static final Map<String, String> MOUNT = Map.of("packing.store", "file:///test");
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);

    private final long seed = Seed.value();
    private final Random fate = new Random(seed + 1);

    /** A master's machine and its stores; {@code answered} mutations are done, one more may be. */
    private static final class Machine implements Stores {
        private final PowerDisk disk;
        private final Map<String, PowerStore> tables = new ConcurrentHashMap<>();
        private final InMemoryObjectStore objects = new InMemoryObjectStore();
        private final String fate;
        private volatile int answered;

        Machine(PowerDisk disk, String fate) {
            this.disk = disk;
            this.fate = fate;
        }

        /** What is left when its power goes; the backing store is elsewhere. */
        Machine afterLoss(Loss loss, Random random) {
            try {
                Machine left = new Machine(disk.afterLoss(loss, random), fate + ", " + loss);
                left.answered = answered;
                for (Map.Entry<String, PowerStore> table : tables.entrySet()) {
                    // The files of a table are its engine's: they are there if its folder is.
                    if (Files.exists(left.disk.root().resolve(table.getKey()).getParent())) {
                        left.tables.put(table.getKey(), table.getValue().afterLoss(loss, random));
                    }
                }
                for (ObjectInfo object : objects.list("", "", 1_000)) {
                    ByteBuffer bytes = objects.get(object.key(), 0, (int) object.length());
                    left.objects.put(object.key(), bytes, PutCondition.NONE);
                }
                return left;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        BdtMaster start() throws IOException {
            return BdtMaster.start(TestStores.config(disk.root().resolve("bdt").resolve("data")), this);
        }

        @Override
        public SortedStore sorted(Path directory, SortedStoreConfig config) {
            return tables.computeIfAbsent(directory.toString(), path -> new PowerStore());
        }

        @Override
        public ObjectStore objects(Map<String, String> options) {
            return objects;
        }
    }

    private final List<Machine> losses = new CopyOnWriteArrayList<>();
    /** What the namespace is after so many mutations. */
    private final List<Map<String, Long>> states = new CopyOnWriteArrayList<>(List.of(Map.of()));

    private void lose(Machine machine) {
        losses.add(machine.afterLoss(Loss.ALL, fate));
        losses.add(machine.afterLoss(LOSSES[fate.nextInt(LOSSES.length)], fate));
    }

    private void live(Machine machine, Random random) throws IOException {
        machine.disk.onForce(disk -> lose(machine));
        BdtMaster master = machine.start();
        try {
            Bdt table = master.open(MOUNT);
            WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
            TreeMap<String, Long> model = new TreeMap<>();
            for (int i = 0; i < 30; i++) {
                FilePath path = new FilePath("/" + (char) ('a' + random.nextInt(8)));
                FilePath other = new FilePath("/" + (char) ('a' + random.nextInt(8)));
                Long there = model.get(path.value());
                int what = there == null ? 0 : random.nextInt(4);
                long id = session.newFileId();
                if (what <= 1) {
                    model.put(path.value(), id);
                    states.add(Map.copyOf(model));
                    ClaimResult result =
                            session.claim(new Claim(id, path, FILE, true, true)).join();
                    assertThat(result).isInstanceOf(ClaimResult.Granted.class);
                } else if (what == 2) {
                    model.remove(path.value());
                    states.add(Map.copyOf(model));
                    assertThat(table.delete(path, false)).isEqualTo(Outcome.DONE);
                } else if (!model.containsKey(other.value())) {
                    model.remove(path.value());
                    model.put(other.value(), there);
                    states.add(Map.copyOf(model));
                    assertThat(table.rename(path, other)).isEqualTo(Outcome.DONE);
                }
                machine.answered = states.size() - 1;
                lose(machine);
            }
        } finally {
            master.kill();
        }
    }

    /** Starts on what a loss left, and does one thing more; the power may go again at every force of that. */
    private void check(Machine left, List<Machine> again) throws IOException {
        int answered = left.answered;
        left.disk.onForce(disk -> again.add(left.afterLoss(LOSSES[fate.nextInt(LOSSES.length)], fate)));
        BdtMaster master = left.start();
        try {
            Bdt table = master.open(MOUNT);
            Map<String, Long> found = new TreeMap<>();
            for (FileStatus file : table.list(FilePath.ROOT, "", 1_000).orElseThrow()) {
                if (!file.isDirectory()) {
                    found.put(file.path().value(), file.version().id());
                }
            }
            List<Map<String, Long>> right = new ArrayList<>(List.of(states.get(answered)));
            if (answered + 1 < states.size()) {
                right.add(states.get(answered + 1));
            }
            assertThat(right).as("%s, after %d answers", left.fate, answered).contains(found);
            Outcome made = table.mkdir(new FilePath("/more"), new DirectoryAttributes("u", "g", 0755), true);
            assertThat(made).as(left.fate).isIn(Outcome.DONE, Outcome.EXISTS);
        } finally {
            master.kill();
        }
        again.add(left.afterLoss(LOSSES[fate.nextInt(LOSSES.length)], fate));
    }

    @Test
    void anAnsweredMutationSurvivesPowerLossAtAnyPoint() throws IOException {
        System.out.printf("MasterPowerLossTest: seed %d%n", seed);
        live(new Machine(new PowerDisk(), "seed " + seed), new Random(seed));
        assertThat(losses).hasSizeGreaterThan(100);
        List<Machine> some = new ArrayList<>(losses);
        Collections.shuffle(some, fate);
        for (Machine left : some.subList(0, STARTS)) {
            List<Machine> again = new ArrayList<>();
            check(left, again);
            check(again.get(fate.nextInt(again.size())), new ArrayList<>());
        }
    }
}
