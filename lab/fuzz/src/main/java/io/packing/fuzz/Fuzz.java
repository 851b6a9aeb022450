package io.packing.fuzz;

import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.OpenRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Calls every RPC of a living master and worker with hostile values while an honest load runs, and says what died, hung, grew,
 * was answered with a bug or was lost. {@code --seconds N --seed S [--json]}; exit 1 when something was found.
 */
public final class Fuzz {
    private static final int ATTACKERS = 4;
    private static final long DEADLINE_SECONDS = 30;
    private static final long PROGRESS_SECONDS = 40;

    /** What a run is told. */
    record Settings(long seconds, long seed) {}

    /** What a run found. */
    record Result(
            Settings settings,
            long calls,
            long honestOperations,
            int filesChecked,
            Map<String, Long> statuses,
            Map<String, String> stacks,
            List<Finds.Find> finds) {}

    private final Settings settings;
    private final Finds finds = new Finds();
    private final CountDownLatch over = new CountDownLatch(1);

    private Fuzz(Settings settings) {
        this.settings = settings;
    }

    public static void main(String[] args) throws Exception {
        boolean json = List.of(args).contains("--json");
        Result result = run(settings(args));
        (json ? Report.json(result) : Report.text(result)).forEach(System.out::println);
        // Threads of a server that hangs must not keep the answer.
        System.exit(result.finds().isEmpty() ? 0 : 1);
    }

    private static Settings settings(String[] args) {
        long seconds = 20;
        long seed = System.nanoTime();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--json" -> {
                    // Read by main.
                }
                case "--seconds" -> seconds = Long.parseLong(args[++i]);
                case "--seed" -> seed = Long.parseLong(args[++i]);
                default -> throw new IllegalArgumentException("unknown argument " + args[i]);
            }
        }
        return new Settings(seconds, seed);
    }

    static Result run(Settings settings) throws Exception {
        Path home = Files.createTempDirectory("packing-fuzz");
        try {
            return new Fuzz(settings).run(home);
        } finally {
            delete(home);
        }
    }

    private Result run(Path home) throws Exception {
        Vitals.keepNoBuffers();
        ServerStacks stacks = new ServerStacks();
        stacks.install();
        try (House house = new House(home)) {
            List<Rpc> rpcs = house.rpcs();
            String wild = open(rpcs, house.wildStore());
            String good = open(rpcs, house.goodStore());
            Words words = new Words();
            Truths truths = new Truths(house, words, wild, good);
            truths.takeIds();
            truths.step();
            HonestLoad honest = new HonestLoad(house.goodMount, "/good", settings.seed);
            HonestLoad kept = new HonestLoad(house.keeperMount, "/kept", settings.seed + 1);
            for (int i = 0; i < 100; i++) {
                kept.step();
                honest.step();
            }
            Attack attack = new Attack(
                    rpcs, new Frames(words), new Spared(good), new Caller(DEADLINE_SECONDS), finds, settings.seed);
            battle(attack, truths, honest);
            attack.uncalled().forEach(method -> finds.add(method + " was never called", -1, ""));
            health(house);
            aftermath(house, honest, kept);
            return new Result(
                    settings,
                    attack.calls(),
                    honest.done(),
                    honest.files() + kept.files(),
                    attack.statuses(),
                    stacks.all(),
                    finds.all());
        } finally {
            stacks.uninstall();
        }
    }

    private static String open(List<Rpc> rpcs, String store) throws IOException {
        OpenRequest request =
                OpenRequest.newBuilder().putOptions("packing.store", store).build();
        return BdtGrpc.newBlockingStub(rpcs.get(0).channel()).open(request).getMount();
    }

    /** What may throw. */
    private interface Step {
        void run() throws Exception;
    }

    private void battle(Attack attack, Truths truths, HonestLoad honest) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < ATTACKERS; i++) {
            threads.add(thread("fuzz-attack-" + i, attack::step));
        }
        threads.add(thread("fuzz-honest", honest::step));
        threads.add(thread("fuzz-truths", () -> {
            truths.step();
            boolean unused = over.await(200, TimeUnit.MILLISECONDS);
        }));
        threads.forEach(Thread::start);
        // What a living system needs at most is there after some calls, and must be enough from then on.
        long warm = Math.max(5, settings.seconds / 5);
        watch(honest, warm);
        Vitals before = Vitals.now();
        watch(honest, Math.max(1, settings.seconds - warm));
        over.countDown();
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(2 * DEADLINE_SECONDS));
            if (thread.isAlive()) {
                finds.add("%s hangs".formatted(thread.getName()), -1, Vitals.stacks());
            }
        }
        Vitals.now().worseThan(before).forEach(worse -> finds.add(worse, -1, Vitals.stacks()));
    }

    private Thread thread(String name, Step step) {
        Thread thread = new Thread(
                () -> {
                    while (over.getCount() > 0) {
                        try {
                            step.run();
                        } catch (Exception e) {
                            if (name.equals("fuzz-honest")) {
                                finds.add("the honest load failed: " + e, -1, "");
                            }
                        } catch (Error e) {
                            // A thread less is a weaker attack, or the house took the memory.
                            finds.add("%s failed: %s".formatted(name, e), -1, Vitals.stacks());
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        return thread;
    }

    /** Lets the battle go on, and looks whether the honest load does, too. */
    private void watch(HonestLoad honest, long seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long seen = honest.done();
        long seenAt = System.nanoTime();
        while (System.nanoTime() < end) {
            if (over.await(100, TimeUnit.MILLISECONDS)) {
                return;
            }
            if (honest.done() != seen) {
                seen = honest.done();
                seenAt = System.nanoTime();
            } else if (System.nanoTime() - seenAt > TimeUnit.SECONDS.toNanos(PROGRESS_SECONDS)) {
                finds.add("the honest load hangs", -1, Vitals.stacks());
                return;
            }
        }
    }

    private void health(House house) throws InterruptedException {
        for (int port : house.healthPorts) {
            try {
                HttpResponse<String> health = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create("http://" + House.HOST + ":" + port + "/healthz"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
                if (health.statusCode() != 200) {
                    finds.add("not healthy: " + health.body(), -1, "");
                }
            } catch (IOException e) {
                finds.add("health does not answer: " + e, -1, "");
            }
        }
    }

    /** What was written is there: now, after a restart of the master, and after its disk was lost. */
    private void aftermath(House house, HonestLoad honest, HonestLoad kept) throws IOException {
        wrong("after the battle", honest, kept);
        house.restartMaster();
        wrong("after a restart", honest, kept);
        house.rebuildMaster();
        // A worker learns of it with its next heartbeat, and reclaims what it buffers.
        house.keeperMount.bdt().checkpoint();
        wrong("after a rebuild", honest, kept);
    }

    private void wrong(String when, HonestLoad honest, HonestLoad kept) {
        honest.wrong().forEach(what -> finds.add("%s, an honest file: %s".formatted(when, what), -1, ""));
        kept.wrong().forEach(what -> finds.add("%s, a buffered file: %s".formatted(when, what), -1, ""));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
