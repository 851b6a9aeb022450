// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.packing.bdt.MountStatus;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.FilePath;
import io.packing.fuzz.battle.AttackSide;
import io.packing.fuzz.battle.AttackTally;
import io.packing.fuzz.battle.Battle;
import io.packing.fuzz.battle.Finds;
import io.packing.fuzz.battle.HonestLoad;
import io.packing.fuzz.calls.Attack;
import io.packing.fuzz.calls.CallJudge;
import io.packing.fuzz.calls.CallMaker;
import io.packing.fuzz.calls.MessageMaker;
import io.packing.fuzz.calls.Rpc;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A side of users without rights who know every id: one with a certificate, one with a token, and clients without an
 * identity. They call every method of a master and a worker with TLS, where an honest owner has secrets.
 */
public final class Insiders implements AttackSide {
    private static final int ATTACKERS = 2;
    private static final long DEADLINE_SECONDS = 30;
    private static final long PAUSE_MILLIS = 1_000;
    /** The directories that attackers may change, and that of the honest load. */
    private static final Set<FilePath> CHANGING =
            Set.of(HonestTree.ATTACKERS, HonestTree.BEARERS, HonestTree.SHARED, HonestTree.LOAD);

    private final Finds finds;
    private final GuardedHouse house;
    private final HonestLoad honest;
    private final Attack certified;
    private final Attack bearing;
    private final Attack strangers;
    private final Loot loot;
    private final TreePicture before;
    private final String terms;

    /** Starts a house and fills it. */
    public Insiders(Path home, Finds finds, long seed, Plant plant) throws IOException {
        this.finds = finds;
        this.house = new GuardedHouse(home, plant, Map.of("packing.gc.grace", "2h"));
        Marks marks = new Marks(new SplittableRandom(seed));
        HonestTree tree = HonestTree.make(house, marks);
        this.honest = new HonestLoad(house.mount(GuardedHouse.OWNER), HonestTree.LOAD.value(), seed);
        for (int i = 0; i < 20; i++) {
            honest.step();
        }
        Knowledge knowledge = Knowledge.of(house, tree);
        String token = house.bdts(GuardedHouse.BEARER)
                .tokens()
                .issue("", GuardedHouse.ATTACKER)
                .text();
        MessageMaker frames = new MessageMaker(knowledge.words(Optional.of(token)));
        InsiderJudge judge =
                new InsiderJudge(tree, marks, knowledge.sums(), Set.of(GuardedHouse.ATTACKER, GuardedHouse.BEARER));
        CallMaker caller = new CallMaker(DEADLINE_SECONDS);
        List<Rpc> byCertificate = house.rpcs(
                house.options(GuardedHouse.ATTACKER, house.mainStore()).security());
        this.certified = new Attack(byCertificate, frames, (rpc, message) -> false, caller, judge, finds, seed);
        // No other caller can cancel or renew this token, since none knows it.
        String bearers = house.bdts(GuardedHouse.BEARER).tokens().issue("", "").text();
        this.bearing = new Attack(
                house.rpcs(house.showing(bearers).security()),
                frames,
                (rpc, message) -> false,
                caller,
                judge,
                finds,
                seed + 1);
        this.strangers = new Attack(
                house.rpcs(house.nobody().security()),
                frames,
                (rpc, message) -> false,
                caller,
                (rpc, sent, manner, end) ->
                        rpc.name().equals("Login") ? "" : CallJudge.ofStrangers(rpc, sent, manner, end),
                finds,
                seed + 2);
        this.loot = new Loot(house, marks, knowledge.told(), finds);
        this.before = TreePicture.of(house.mount(GuardedHouse.SUPERUSER), CHANGING);
        this.terms = terms();
    }

    /** Returns the master's mounts with their options and workers, as text. */
    private String terms() throws IOException {
        List<String> all = new ArrayList<>();
        for (MountStatus each : house.bdts(GuardedHouse.SUPERUSER).operations().mounts()) {
            all.add("%s options %s".formatted(each.store(), new TreeMap<>(Knowledge.options(house, each.mount()))));
            for (WorkerInfo worker : each.workers()) {
                all.add("worker %s %s %d".formatted(worker.worker(), worker.address(), worker.sessionEpoch()));
            }
        }
        return String.join("\n", all);
    }

    /** Makes a number of calls by each attacker. */
    void attack(int calls) throws InterruptedException {
        for (int i = 0; i < calls; i++) {
            certified.step();
            bearing.step();
            strangers.step();
        }
    }

    @Override
    public void join(Battle battle) {
        for (int i = 0; i < ATTACKERS; i++) {
            battle.join("fuzz-insider-" + i, certified::step);
        }
        battle.join("fuzz-insider-bearer", bearing::step);
        battle.join("fuzz-insider-strangers", strangers::step);
        battle.join("fuzz-honest-owner", honest::step);
        battle.join("fuzz-honest-loot", () -> {
            loot.step();
            changes("in the battle");
            battle.pause(PAUSE_MILLIS);
        });
    }

    @Override
    public Map<String, LongSupplier> honest() {
        return Map.of("the honest owner", honest::done);
    }

    private void changes(String when) throws IOException {
        before.changes(TreePicture.of(house.mount(GuardedHouse.SUPERUSER), CHANGING))
                .forEach(change -> finds.add("%s, %s".formatted(when, change), -1, ""));
        String now = terms();
        if (!now.equals(terms)) {
            finds.add("%s, mounts, options or workers changed".formatted(when), -1, terms + "\nnow\n" + now);
        }
    }

    @Override
    public void aftermath() throws Exception {
        for (Attack each : List.of(certified, bearing, strangers)) {
            each.uncalled().forEach(method -> finds.add(method + " was never called", -1, ""));
        }
        loot.step();
        changes("after the battle");
        honest.wrong().forEach(what -> finds.add("after the battle, an honest file: " + what, -1, ""));
        if (loot.looked() == 0) {
            finds.add("the loot was never looked at", -1, "");
        }
    }

    @Override
    public AttackTally tally() {
        Map<String, Long> ends = new TreeMap<>();
        certified.statuses().forEach((end, times) -> ends.merge("insider " + end, times, Long::sum));
        bearing.statuses().forEach((end, times) -> ends.merge("insider " + end, times, Long::sum));
        return new AttackTally(
                Map.of(
                        "insider_calls",
                        certified.calls() + bearing.calls(),
                        "strangers",
                        strangers.calls(),
                        "honest_operations",
                        honest.done(),
                        "loot_files",
                        loot.looked(),
                        "files_checked",
                        (long) before.entries().size() + honest.files()),
                ends);
    }

    @Override
    public void close() throws IOException {
        house.close();
    }
}
