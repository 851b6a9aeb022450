// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.fuzz.battle.AttackSide;
import io.packing.fuzz.battle.AttackTally;
import io.packing.fuzz.battle.Battle;
import io.packing.fuzz.battle.Finds;
import io.packing.fuzz.battle.HonestLoad;
import io.packing.fuzz.calls.Attack;
import io.packing.fuzz.calls.CallJudge;
import io.packing.fuzz.calls.CallMaker;
import io.packing.fuzz.calls.FieldValues;
import io.packing.fuzz.calls.MessageMaker;
import io.packing.fuzz.calls.Rpc;
import io.packing.fuzz.calls.Spared;
import io.packing.fuzz.raw.PortAttack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A side of callers: some that a master and workers without TLS trust, some without an identity, and senders of bytes
 * to every port.
 */
final class Callers implements AttackSide {
    private static final int ATTACKERS = 4;
    private static final int PORT_ATTACKERS = 2;
    private static final long DEADLINE_SECONDS = 30;
    private static final long TRUTHS_MILLIS = 200;
    private static final long HEALTH_MILLIS = 2_000;

    private final Finds finds;
    private final House house;
    private final LiveValues truths;
    private final Health health;
    private final HonestLoad honest;
    private final HonestLoad kept;
    private final HonestPulls pulls;
    private final Attack attack;
    private final Attack strangers;
    private final PortAttack ports;

    Callers(Path home, Finds finds, long seed) throws IOException, InterruptedException {
        this.finds = finds;
        this.house = new House(home);
        this.health = new Health(house.healthPorts, finds);
        List<Rpc> rpcs = house.rpcs();
        String wild = open(rpcs, house.wildStore());
        String good = open(rpcs, house.goodStore());
        FieldValues words = new FieldValues();
        this.truths = new LiveValues(house, words, wild, good);
        truths.takeIds();
        truths.step();
        this.honest = new HonestLoad(house.goodMount, "/good", seed);
        this.kept = new HonestLoad(house.keeperMount, "/kept", seed + 1);
        for (int i = 0; i < 100; i++) {
            kept.step();
            honest.step();
        }
        this.pulls = new HonestPulls(house.registries.open(), seed + 2);
        pulls.step();
        MessageMaker frames = new MessageMaker(words);
        Spared spared = new Spared(good);
        CallMaker caller = new CallMaker(DEADLINE_SECONDS);
        this.attack = new Attack(rpcs, frames, spared::spares, caller, CallJudge::ofCallers, finds, seed);
        this.strangers =
                new Attack(house.closedRpcs(), frames, spared::spares, caller, CallJudge::ofStrangers, finds, seed + 3);
        this.ports = new PortAttack(TargetPorts.of(house), finds::add, seed + 4);
    }

    private static String open(List<Rpc> rpcs, String store) throws IOException {
        OpenRequest request =
                OpenRequest.newBuilder().putOptions("packing.store", store).build();
        return BdtGrpc.newBlockingStub(rpcs.get(0).channel()).open(request).getMount();
    }

    @Override
    public void join(Battle battle) {
        for (int i = 0; i < ATTACKERS; i++) {
            battle.join("fuzz-attack-" + i, attack::step);
        }
        for (int i = 0; i < PORT_ATTACKERS; i++) {
            battle.join("fuzz-ports-" + i, ports::step);
        }
        battle.join("fuzz-strangers", strangers::step);
        battle.join("fuzz-honest", honest::step);
        battle.join("fuzz-honest-pulls", pulls::step);
        battle.join("fuzz-health", () -> {
            health.probe();
            battle.pause(HEALTH_MILLIS);
        });
        battle.join("fuzz-truths", () -> {
            truths.step();
            battle.pause(TRUTHS_MILLIS);
        });
    }

    @Override
    public Map<String, LongSupplier> honest() {
        return Map.of("the honest load", honest::done, "the honest pulls", pulls::done);
    }

    @Override
    public void muster() throws InterruptedException {
        StatusThreads.start(house.healthPorts);
    }

    @Override
    public void retreat() {
        ports.close();
    }

    /** Checks the written files: now, after a restart of the master, and after the loss of its disk. */
    @Override
    public void aftermath() throws Exception {
        attack.uncalled().forEach(method -> finds.add(method + " was never called", -1, ""));
        strangers.uncalled().forEach(method -> finds.add(method + " was never called by strangers", -1, ""));
        health.probe();
        try {
            pulls.check();
        } catch (IOException e) {
            finds.add("after the battle, an honest blob: " + e.getMessage(), -1, "");
        }
        wrong("after the battle");
        house.restartMaster();
        wrong("after a restart");
        house.rebuildMaster();
        // A worker learns of the new master with its next heartbeat, and reclaims its buffered files.
        house.keeperMount.bdt().checkpoint();
        wrong("after a rebuild");
    }

    private void wrong(String when) {
        honest.wrong().forEach(what -> finds.add("%s, an honest file: %s".formatted(when, what), -1, ""));
        kept.wrong().forEach(what -> finds.add("%s, a buffered file: %s".formatted(when, what), -1, ""));
    }

    @Override
    public AttackTally tally() {
        Map<String, Long> ends = new TreeMap<>(attack.statuses());
        ends.putAll(ports.answers());
        return new AttackTally(
                Map.of(
                        "calls",
                        attack.calls(),
                        "strangers",
                        strangers.calls(),
                        "connections",
                        ports.connections(),
                        "honest_operations",
                        honest.done() + pulls.done(),
                        "files_checked",
                        (long) honest.files() + kept.files()),
                ends);
    }

    @Override
    public void close() throws IOException {
        house.close();
    }
}
