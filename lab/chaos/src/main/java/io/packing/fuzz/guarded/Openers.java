// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.packing.bdt.Bdt;
import io.packing.bdt.client.SharedMountOptionsClient;
import io.packing.blob.FilePath;
import io.packing.fuzz.battle.AttackSide;
import io.packing.fuzz.battle.AttackTally;
import io.packing.fuzz.battle.Battle;
import io.packing.fuzz.battle.Finds;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A side of a client with a certificate and without a role. It opens mounts before the operator does, with hostile
 * options, in other users' stores and in floods, also while a master starts. The operator makes mounts. An owner writes
 * to one whose closes must survive the loss of both machines.
 */
public final class Openers implements AttackSide {
    private static final int ATTACKERS = 2;
    private static final int NEW_MOUNTS = 6;
    private static final int OPENS_AFTER_A_START = 50;
    private static final long PAUSE_MILLIS = 300;
    private static final Map<String, String> TERMS =
            Map.of("packing.durability", "uploaded", "packing.gc.grace", "2h", "packing.journal.interval", "3s");
    private static final CreateOptions NEW = new CreateOptions("", "", 0600, false, false);

    private final Finds finds;
    private final GuardedHouse house;
    private final OpeningAttacker openings;
    /** The mounts of the operator, by store. */
    private final Map<String, SharedMountOptionsClient.MountOptionsReply> made = new TreeMap<>();

    private final List<FilePath> files = new ArrayList<>();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();

    /** Starts a house whose main mount an operator made. */
    public Openers(Path home, Finds finds, long seed, Plant plant) throws IOException {
        this(home, finds, seed, plant, TERMS);
    }

    /**
     * Starts a house whose main mount an operator made.
     *
     * @param terms the options that the operator sets
     */
    Openers(Path home, Finds finds, long seed, Plant plant, Map<String, String> terms) throws IOException {
        this.finds = finds;
        this.house = new GuardedHouse(home, plant, terms);
        List<String> targets = new ArrayList<>(List.of(house.mainStore(), house.mainStore()));
        for (int i = 0; i < NEW_MOUNTS; i++) {
            house.makeStore("new-" + i);
            targets.add(house.store("new-" + i));
        }
        this.openings = new OpeningAttacker(
                house.rpcs(house.options(GuardedHouse.ATTACKER, house.mainStore())
                                .security())
                        .get(0)
                        .channel(),
                targets,
                finds,
                seed);
        note(house.mainStore());
        writeOne();
    }

    /** Notes the master's answer about a mount that the operator has just made. */
    private void note(String store) throws IOException {
        SharedMountOptionsClient terms = house.bdts(GuardedHouse.SUPERUSER).terms();
        SharedMountOptionsClient.MountOptionsReply told = terms.show(
                terms.open(house.options(GuardedHouse.SUPERUSER, store).raw()));
        made.put(store, told);
        openings.isMade(told.mount(), told.options());
    }

    private SharedMountOptionsClient.MountOptionsReply told(String store) throws IOException {
        SharedMountOptionsClient terms = house.bdts(GuardedHouse.SUPERUSER).terms();
        return terms.show(
                terms.open(house.options(GuardedHouse.SUPERUSER, store).raw()));
    }

    /** Writes a file, and keeps its name after the close was acknowledged. */
    private void writeOne() throws IOException {
        FilePath path = new FilePath("/sworn-" + written.get());
        try {
            Object unused = house.mount(GuardedHouse.OWNER)
                    .put(path, ByteBuffer.wrap(content(path)), NEW)
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(path.value(), e);
        } catch (ExecutionException e) {
            throw new IOException(path.value(), e);
        }
        synchronized (files) {
            files.add(path);
        }
        written.incrementAndGet();
    }

    private static byte[] content(FilePath path) {
        byte[] content = new byte[1_000];
        Arrays.fill(content, (byte) path.hashCode());
        return content;
    }

    /** Opens mounts a number of times. */
    void open(int times) {
        for (int i = 0; i < times; i++) {
            openings.step();
        }
    }

    @Override
    public void join(Battle battle) {
        for (int i = 0; i < ATTACKERS; i++) {
            battle.join("fuzz-opener-" + i, openings::step);
        }
        battle.join("fuzz-honest-operator", () -> {
            operate();
            battle.pause(PAUSE_MILLIS);
        });
        battle.join("fuzz-honest-writer", () -> {
            writeOne();
            battle.pause(PAUSE_MILLIS);
        });
    }

    /** Makes a mount, or checks the existing ones. */
    private void operate() throws IOException {
        if (looks.incrementAndGet() % 4 == 0 && made.size() <= NEW_MOUNTS) {
            make(house.store("new-" + (made.size() - 1)), Map.of("packing.gc.grace", "3h"));
        }
        look("in the battle");
    }

    private void make(String store, Map<String, String> wanted) throws IOException {
        try (Stream<Path> there = Files.list(Path.of(URI.create(store)))) {
            there.forEach(path -> finds.add("an open wrote '%s' where no mount is".formatted(path), -1, ""));
        }
        MountOptions root = house.options(GuardedHouse.SUPERUSER, store);
        Map<String, String> options = new HashMap<>(root.raw());
        options.putAll(wanted);
        SharedMountOptionsClient.MountOptionsReply told =
                house.bdts(GuardedHouse.SUPERUSER).terms().create(options);
        if (!told.set().equals(wanted.keySet())) {
            finds.add("a new mount has options that its operator did not name: " + told.set(), -1, told.toString());
        }
        note(store);
    }

    /** Compares mounts, their options and their objects with the operator's. */
    void look(String when) throws IOException {
        for (Map.Entry<String, SharedMountOptionsClient.MountOptionsReply> each : made.entrySet()) {
            SharedMountOptionsClient.MountOptionsReply now = told(each.getKey());
            if (!now.equals(each.getValue())) {
                finds.add(
                        "%s, the options of '%s' changed: %s".formatted(when, each.getKey(), now),
                        -1,
                        each.getValue() + "");
            }
        }
        Set<String> open = house.bdts(GuardedHouse.SUPERUSER).operations().mounts().stream()
                .map(mount -> mount.mount())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = made.values().stream()
                .map(SharedMountOptionsClient.MountOptionsReply::mount)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!known.containsAll(open)) {
            finds.add("%s, there are mounts that no operator made: %s".formatted(when, open), -1, known.toString());
        }
        stores(when);
    }

    /** Searches the stores for identities of mounts. */
    private void stores(String when) throws IOException {
        Set<Path> wanted = made.keySet().stream()
                .map(store -> Path.of(URI.create(store)).resolve("bdt/identity"))
                .collect(Collectors.toSet());
        openings.judge();
        try (Stream<Path> walk = Files.walk(house.stores())) {
            Set<Path> found = walk.filter(path -> path.endsWith("bdt/identity")).collect(Collectors.toSet());
            if (!wanted.containsAll(found)) {
                finds.add("%s, a store has a mount that no operator made: %s".formatted(when, found), -1, "");
            }
        }
    }

    @Override
    public Map<String, LongSupplier> honest() {
        return Map.of("the operator", looks::get, "the writer to a mount that is opened", written::get);
    }

    /** Restarts the master among opens, then loses the machines. */
    @Override
    public void aftermath() throws Exception {
        if (openings.calls() == 0) {
            finds.add("nothing was opened", -1, "");
        }
        look("after the battle");
        lost("after the battle");
        amongOpens(house::restartMaster);
        look("after a restart");
        owners();
        lost("after a restart");
        amongOpens(house::loseMachines);
        look("after the machines were lost");
        lost("after the machines were lost");
    }

    /** A way in which the master comes back. */
    private interface Start {
        void run() throws IOException;
    }

    private void amongOpens(Start start) throws IOException, InterruptedException {
        AtomicBoolean started = new AtomicBoolean();
        List<Thread> flood = new ArrayList<>();
        for (int i = 0; i < ATTACKERS; i++) {
            Thread thread = new Thread(
                    () -> {
                        // The first opens of the new process must not be the operator's.
                        int more = OPENS_AFTER_A_START;
                        while (!started.get() || more-- > 0) {
                            openings.step();
                        }
                    },
                    "fuzz-opener-flood");
            thread.setDaemon(true);
            thread.start();
            flood.add(thread);
        }
        try {
            start.run();
        } finally {
            started.set(true);
            for (Thread each : flood) {
                each.join();
            }
        }
    }

    private void owners() throws IOException {
        for (String store : made.keySet()) {
            try (Bdt bdt = house.bdts(GuardedHouse.SUPERUSER)
                    .open(house.options(GuardedHouse.SUPERUSER, store).raw())) {
                String owner =
                        bdt.stat(FilePath.ROOT).orElseThrow().attributes().owner();
                if (owner.equals(GuardedHouse.ATTACKER)) {
                    finds.add("the first client that opens a mount owns its root: '%s'".formatted(store), -1, "");
                }
            }
        }
    }

    private void lost(String when) {
        List<FilePath> acknowledged;
        synchronized (files) {
            acknowledged = List.copyOf(files);
        }
        for (FilePath each : acknowledged) {
            try (PackingInput in = house.mount(GuardedHouse.OWNER).open(each)) {
                ByteBuffer bytes = ByteBuffer.allocate((int) in.attributes().length());
                while (bytes.hasRemaining() && in.read(bytes.position(), bytes) > 0) {
                    // The loop reads on.
                }
                if (!Arrays.equals(bytes.array(), content(each))) {
                    finds.add("%s, '%s' has other bytes".formatted(when, each), -1, "");
                }
            } catch (IOException e) {
                finds.add("%s, '%s' is gone: %s".formatted(when, each, e), -1, "");
                return;
            }
        }
    }

    @Override
    public AttackTally tally() {
        return new AttackTally(
                Map.of(
                        "opener_calls",
                        openings.calls(),
                        "mounts_made",
                        (long) made.size(),
                        "honest_operations",
                        written.get() + looks.get(),
                        "files_checked",
                        written.get()),
                openings.ends());
    }

    @Override
    public void close() throws IOException {
        house.close();
    }
}
