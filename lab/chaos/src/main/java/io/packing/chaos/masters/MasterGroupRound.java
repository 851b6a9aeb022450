// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import io.packing.chaos.cluster.MasterGroupProcesses;
import io.packing.linear.Finding;
import io.packing.linear.Linearizability;
import io.packing.linear.Timed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A round: lanes work while a plan is played; then all files are read, and the history of each place is checked. */
final class MasterGroupRound {
    private static final int LANES_OF_A_CLIENT = 4;
    private static final int SHARED = 3;
    private static final List<String> NAMES = List.of("a", "b", "c", "d");
    private static final long MOST_CONFIGURATIONS = 3_000_000;
    private static final int TRIES = 30;

    /**
     * The longest time without service during an act.
     *
     * @param act the cause
     */
    record Outage(MasterGroupAct act, Duration longest) {}

    /**
     * The findings of a round.
     *
     * @param lost files of one writer that differ from the acknowledged version, or that no client wrote, in words
     * @param nonlinearizable histories of places that lanes share, in words
     * @param undecided histories that the checker could not decide
     * @param skipped acts that this machine cannot play
     */
    record Report(
            long operations,
            long files,
            List<String> lost,
            List<String> nonlinearizable,
            List<String> undecided,
            List<Outage> outages,
            List<MasterGroupAct> skipped) {
        boolean isClean() {
            return lost.isEmpty() && nonlinearizable.isEmpty() && undecided.isEmpty();
        }
    }

    private final Ground ground;
    private final MasterGroupPlan plan;
    private final String root;
    private final List<Place> shared = new ArrayList<>();
    private final List<Outage> outages = new ArrayList<>();
    private final List<MasterGroupAct> skipped = new ArrayList<>();
    private int files;

    MasterGroupRound(Ground ground, MasterGroupPlan plan, String root) {
        this.ground = ground;
        this.plan = plan;
        this.root = root;
        for (int i = 0; i < SHARED; i++) {
            shared.add(new Place(root + "/shared-" + i, NAMES, true, plan.seed() + i));
        }
    }

    /** Plays the round. */
    Report play() throws IOException, InterruptedException {
        MasterGroupProcesses group = ground.group();
        AtomicBoolean end = new AtomicBoolean();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            try (DirectoryClient first = new DirectoryClient("first", 0, ground)) {
                for (Place place : shared) {
                    first.makeDirectory(place.directory());
                }
            }
            List<Future<List<Place>>> lanes = new ArrayList<>();
            for (int client = 0; client < group.clients().size(); client++) {
                for (int i = 0; i < LANES_OF_A_CLIENT; i++) {
                    String name = "%d-%d".formatted(client, i);
                    Random random = new Random(plan.seed() + lanes.size() + 1);
                    DirectoryClient visitor = new DirectoryClient(name, client, ground);
                    lanes.add(threads.submit(new MasterGroupLane(visitor, shared, root + "/own-" + name, random, end)));
                }
            }
            MasterGroupActs acts = new MasterGroupActs(ground);
            for (MasterGroupPlan.Step step : plan.steps()) {
                if (acts.canPlay(step.act())) {
                    outages.add(new Outage(step.act(), acts.play(step)));
                } else {
                    skipped.add(step.act());
                }
            }
            end.set(true);
            List<Place> all = new ArrayList<>(shared);
            for (Future<List<Place>> lane : lanes) {
                all.addAll(result(lane));
            }
            files = all.size();
            readAll(all, threads);
            return report();
        } finally {
            end.set(true);
            threads.shutdownNow();
        }
    }

    private static <T> T result(Future<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException("a thread ended: " + e.getCause(), e);
        }
    }

    /** Reads every name after the lanes have ended: all acknowledged files must exist. */
    private void readAll(List<Place> all, ExecutorService threads) throws IOException, InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Future<Integer>> readers = new ArrayList<>();
        for (int i = 0; i < ground.group().clients().size() * LANES_OF_A_CLIENT; i++) {
            DirectoryClient visitor = new DirectoryClient(
                    "reader-" + i, i % ground.group().clients().size(), ground);
            Callable<Integer> reader = () -> {
                int count = 0;
                try (visitor) {
                    for (int at = next.getAndIncrement(); at < all.size(); at = next.getAndIncrement()) {
                        Place place = all.get(at);
                        if (place.shared()) {
                            insist(() -> visitor.names(place), place.directory());
                        }
                        for (String name : place.names()) {
                            insist(() -> visitor.read(place, name), place.path(name));
                            count++;
                        }
                    }
                }
                return count;
            };
            readers.add(threads.submit(reader));
        }
        for (Future<Integer> reader : readers) {
            int unused = result(reader);
        }
    }

    private void insist(Callable<Boolean> question, String path) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            if (question.call()) {
                return;
            }
        }
        ground.wrong().add("%s: it cannot be read, although all processes run".formatted(path));
    }

    /** Reports a round that was cut. Its history is not checked: it lacks the operations that still run. */
    Report cut() {
        return new Report(
                ground.history().size(), files, List.copyOf(ground.wrong()), List.of(), List.of(), outages, skipped);
    }

    private Report report() {
        Set<String> common = shared.stream().map(Place::key).collect(Collectors.toSet());
        List<String> lost = new ArrayList<>(ground.wrong());
        List<String> nonlinearizable = new ArrayList<>();
        List<String> undecided = new ArrayList<>();
        for (Map.Entry<String, List<Timed<ClientOperation>>> each :
                ground.history().byKey().entrySet()) {
            Finding<ClientOperation> finding =
                    Linearizability.check(new NamespaceModel(), each.getValue(), MOST_CONFIGURATIONS);
            if (finding.isLinearizable()) {
                continue;
            }
            String words = "%s: %s".formatted(each.getKey(), finding);
            if (finding.verdict() == Finding.Verdict.UNDECIDED) {
                undecided.add(words);
            } else if (common.contains(each.getKey())) {
                nonlinearizable.add(words);
            } else {
                lost.add(words);
            }
        }
        return new Report(ground.history().size(), files, lost, nonlinearizable, undecided, outages, skipped);
    }
}
