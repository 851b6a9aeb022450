package io.packing.fuzz;

import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.fuzz.raw.PortAttack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Calls every RPC of a living master and worker with hostile values while an honest load runs, and says what died, hung, grew,
 * was answered with a bug or was lost. {@code --seconds N --seed S [--json]}; exit 1 when something was found.
 */
public final class Fuzz {
    private static final int ATTACKERS = 4;
    private static final long DEADLINE_SECONDS = 30;
    private static final int PORT_ATTACKERS = 2;
    private static final long TRUTHS_MILLIS = 200;

    /** What a run is told. */
    record Settings(long seconds, long seed) {}

    /** What a run found. */
    record Result(
            Settings settings,
            long calls,
            long strangers,
            long connections,
            long honestOperations,
            int filesChecked,
            Map<String, Long> statuses,
            Map<String, Long> answers,
            Map<String, String> stacks,
            List<Finds.Find> finds) {}

    private final Settings settings;
    private final Finds finds = new Finds();

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
            HonestPulls pulls = new HonestPulls(house.registries.open(), settings.seed + 2);
            pulls.step();
            Frames frames = new Frames(words);
            Spared spared = new Spared(good);
            Caller caller = new Caller(DEADLINE_SECONDS);
            Attack attack = new Attack(rpcs, frames, spared, caller, Judge::ofCallers, finds, settings.seed);
            Attack strangers = new Attack(
                    house.closedRpcs(), frames, spared, caller, Judge::ofStrangers, finds, settings.seed + 3);
            PortAttack ports = new PortAttack(Ports.of(house), finds::add, settings.seed + 4);
            Battle battle = new Battle(finds);
            for (int i = 0; i < ATTACKERS; i++) {
                battle.join("fuzz-attack-" + i, attack::step);
            }
            for (int i = 0; i < PORT_ATTACKERS; i++) {
                battle.join("fuzz-ports-" + i, ports::step);
            }
            battle.join("fuzz-strangers", strangers::step);
            battle.join("fuzz-honest", honest::step);
            battle.join("fuzz-honest-pulls", pulls::step);
            battle.join("fuzz-truths", () -> {
                truths.step();
                battle.pause(TRUTHS_MILLIS);
            });
            battle.fight(
                    settings.seconds,
                    Map.of("the honest load", honest::done, "the honest pulls", pulls::done),
                    () -> StatusThreads.start(house.healthPorts),
                    ports::close);
            attack.uncalled().forEach(method -> finds.add(method + " was never called", -1, ""));
            strangers.uncalled().forEach(method -> finds.add(method + " was never called by strangers", -1, ""));
            health(house);
            try {
                pulls.check();
            } catch (IOException e) {
                finds.add("after the battle, an honest blob: " + e.getMessage(), -1, "");
            }
            aftermath(house, honest, kept);
            return new Result(
                    settings,
                    attack.calls(),
                    strangers.calls(),
                    ports.connections(),
                    honest.done() + pulls.done(),
                    honest.files() + kept.files(),
                    attack.statuses(),
                    ports.answers(),
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
