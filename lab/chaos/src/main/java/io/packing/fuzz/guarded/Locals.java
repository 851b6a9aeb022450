// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.fuzz.battle.AttackSide;
import io.packing.fuzz.battle.AttackTally;
import io.packing.fuzz.battle.Battle;
import io.packing.fuzz.battle.Finds;
import io.packing.fuzz.battle.HonestLoad;
import io.packing.fuzz.local.OrdinaryUser;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A side of an ordinary user of the host of a master and a worker with TLS, and of a kernel mount if the host allows
 * one. The user tries directories, files, sockets and ports, and plants links in places of servers' directories.
 */
public final class Locals implements AttackSide {
    private static final long PAUSE_MILLIS = 500;
    private static final List<String> BRIEF = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    /** The mode of a directory in which every user may make names. */
    private static final int SHARED_MODE = 01777;

    private static final Set<FilePath> CHANGING = Set.of(HonestTree.LOAD);

    private final Finds finds;
    private final GuardedHouse house;
    private final Marks marks;
    private final HonestLoad honest;
    private final OrdinaryUser user;
    private final Path shared;
    private final Path canary;
    private final Optional<FuseMount> mount;
    private final TreePicture before;
    private final AtomicLong tried = new AtomicLong();
    private final AtomicLong runs = new AtomicLong();

    /** Starts a house whose directory every user may enter. */
    public Locals(Path home, Finds finds, long seed) throws IOException, InterruptedException {
        this.finds = finds;
        this.house = new GuardedHouse(home, Plant.NONE, Map.of("packing.gc.grace", "2h"));
        OrdinaryUser.open(home);
        this.marks = new Marks(new SplittableRandom(seed));
        HonestTree unused = HonestTree.make(house, marks);
        this.honest = new HonestLoad(house.mount(GuardedHouse.OWNER), HonestTree.LOAD.value(), seed);
        for (int i = 0; i < 20; i++) {
            honest.step();
        }
        this.user = OrdinaryUser.at(home.resolve("program"));
        this.shared = Files.createDirectory(home.resolve("shared"));
        Files.setAttribute(shared, "unix:mode", SHARED_MODE);
        this.canary = Files.createDirectory(home.resolve("canary"));
        OrdinaryUser.open(canary);
        this.mount = FuseMount.isPossible() ? Optional.of(mounted()) : Optional.empty();
        this.before = TreePicture.of(house.mount(GuardedHouse.SUPERUSER), CHANGING);
    }

    private FuseMount mounted() throws IOException, InterruptedException {
        Path directory = Files.createDirectory(house.home().resolve("mount"));
        MountSpec spec = new MountSpec(
                directory, house.home().resolve("mount.state"), "fuzz", false, MountAccessOptions.FILES, false);
        return new PosixMount(
                        GuardedHouse.HOST + ":" + house.ports().get(0),
                        FilePath.ROOT,
                        house.options(GuardedHouse.SUPERUSER, house.mainStore()).raw(),
                        Duration.ofSeconds(1),
                        spec,
                        BRIEF,
                        OwnerMap.NAMES)
                .start();
    }

    private List<String> orders() throws IOException {
        List<String> orders = new ArrayList<>();
        marks.lines().lines().forEach(line -> orders.add("mark " + line));
        for (String each : List.of("certificates", "stores", "master", GuardedHouse.WORKER, "mount.state")) {
            orders.add("closed " + house.home().resolve(each));
        }
        orders.add("closed /proc/" + ProcessHandle.current().pid() + "/fd");
        orders.add("closed /proc/" + ProcessHandle.current().pid() + "/environ");
        mount.ifPresent(each -> orders.add("open " + each.directory()));
        orders.add("open " + house.home());
        orders.add("sockets " + house.home());
        for (int port : house.ports()) {
            orders.add("port " + port);
        }
        return orders;
    }

    /** Makes the user try everything once. */
    void prowl() throws IOException, InterruptedException {
        note(user.prowl(orders()));
    }

    private void note(OrdinaryUser.Said said) {
        tried.addAndGet(said.tried());
        runs.incrementAndGet();
        said.harm().forEach(what -> finds.add("an ordinary user of the host " + what, -1, ""));
    }

    /** Makes the user plant links, and then starts servers with their directories there. */
    void plant() throws IOException, InterruptedException {
        List<String> names = List.of("buffer", "state");
        note(user.prowl(names.stream()
                .map(name -> "link %s %s".formatted(shared.resolve(name), canary))
                .toList()));
        for (String each : names) {
            if (!Files.isSymbolicLink(shared.resolve(each))) {
                finds.add("the ordinary user could plant no link", -1, each);
            }
        }
        starts(finds, canary, "a worker", () -> {
            Map<String, String> raw = new HashMap<>(
                    house.options(GuardedHouse.SUPERUSER, house.mainStore()).raw());
            try (PackingWorker worker = PackingWorker.start(
                    new WorkerOptions(
                            "planted",
                            shared.resolve("buffer"),
                            GuardedHouse.HOST,
                            0,
                            MountOptions.from(raw).security()),
                    house.bdts(GuardedHouse.SUPERUSER),
                    ObjectStores::open,
                    Clock.systemUTC(),
                    new SimpleMeterRegistry())) {
                worker.open(MountOptions.from(raw)).close();
            }
        });
    }

    /** A start of a server. */
    interface Start {
        void run() throws IOException;
    }

    /** Starts a server, which may refuse its directory, and checks where it wrote. */
    static void starts(Finds finds, Path canary, String what, Start start) throws IOException {
        String end = "it started";
        try {
            start.run();
        } catch (IOException | RuntimeException e) {
            end = e.toString();
        }
        try (Stream<Path> written = Files.list(canary)) {
            List<Path> all = written.toList();
            if (!all.isEmpty()) {
                finds.add("%s follows the link of an ordinary user, and writes %s".formatted(what, all), -1, end);
            }
        }
    }

    private void changes(String when) throws IOException {
        before.changes(TreePicture.of(house.mount(GuardedHouse.SUPERUSER), CHANGING))
                .forEach(change -> finds.add("%s, %s".formatted(when, change), -1, ""));
    }

    @Override
    public void join(Battle battle) {
        battle.join("fuzz-honest-neighbour", honest::step);
        battle.join("fuzz-honest-prowler", () -> {
            prowl();
            battle.pause(PAUSE_MILLIS);
        });
    }

    @Override
    public Map<String, LongSupplier> honest() {
        return Map.of("the owner beside an ordinary user", honest::done);
    }

    @Override
    public void aftermath() throws Exception {
        prowl();
        plant();
        changes("after an ordinary user of the host");
        honest.wrong().forEach(what -> finds.add("beside an ordinary user, an honest file: " + what, -1, ""));
    }

    @Override
    public AttackTally tally() {
        return new AttackTally(
                Map.of(
                        "local_attempts",
                        tried.get(),
                        "local_runs",
                        runs.get(),
                        "honest_operations",
                        honest.done(),
                        "files_checked",
                        (long) before.entries().size()),
                Map.of("local mounts " + mount.map(each -> "yes").orElse("no"), 1L));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (mount.isPresent()) {
            mount.get().close();
        }
        house.close();
    }
}
