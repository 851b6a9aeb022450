// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.schedule.FaultSites.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A run of processes that play seeds until the time is over or a schedule fails. Thread-safe. */
final class Farm {
    /**
     * The terms of a run.
     *
     * @param firstSeed from which on seeds are played, without a gap
     * @param processes that play at a time
     * @param nanos after which no schedule begins
     * @param mostSchedules that are played
     * @param sites true for a run that tells its sites
     */
    record Terms(
            long firstSeed,
            int operations,
            int processes,
            long nanos,
            long mostSchedules,
            Optional<PlantedDefect> defect,
            boolean sites) {}

    /**
     * The schedules that were played.
     *
     * @param schedules from the first seed on
     * @param coreNanos the time of all processes together
     * @param unsound those that failed
     */
    record Played(long schedules, long coreNanos, long cpuNanos, List<PlayedSeed> unsound) {
        Played {
            unsound = List.copyOf(unsound);
        }
    }

    private final Terms terms;
    private final long begin = System.nanoTime();
    private final List<PlayerProcess> processes = new ArrayList<>();
    private final TreeMap<Long, PlayedSeed> unsound = new TreeMap<>();
    private final PlayedSites sites = new PlayedSites();
    private final long[] cpuNanos;
    /** The seeds that were given out and have no answer. */
    private final TreeMap<Long, Integer> open = new TreeMap<>();

    private long next;
    private boolean ended;
    private Optional<IOException> failure = Optional.empty();

    Farm(Terms terms) {
        this.terms = terms;
        this.next = terms.firstSeed();
        this.cpuNanos = new long[terms.processes()];
    }

    /** Plays seeds, and returns when all processes have ended. */
    Played play() throws IOException, InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < terms.processes(); i++) {
            int number = i;
            Thread thread = new Thread(() -> feed(number), "player-" + i);
            thread.start();
            threads.add(thread);
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            end();
        }
        Optional<IOException> failed;
        synchronized (this) {
            failed = failure;
        }
        if (failed.isPresent()) {
            throw failed.get();
        }
        return played();
    }

    /** Gives out no further seed, and ends the processes. */
    synchronized void end() {
        ended = true;
        processes.forEach(PlayerProcess::close);
    }

    /** Returns what was played so far: all seeds before the first one without an answer. */
    synchronized Played played() {
        long behind = open.isEmpty() ? next : open.firstKey();
        long cpu = 0;
        for (long each : cpuNanos) {
            cpu += each;
        }
        return new Played(
                behind - terms.firstSeed(),
                (System.nanoTime() - begin) * terms.processes(),
                cpu,
                List.copyOf(unsound.values()));
    }

    private void feed(int number) {
        try (PlayerProcess process = PlayerProcess.start(terms)) {
            synchronized (this) {
                processes.add(process);
            }
            for (Optional<Long> seed = take(number); seed.isPresent(); seed = take(number)) {
                answered(number, process.play(seed.get()));
            }
            if (terms.sites()) {
                told(process.sites());
            }
        } catch (IOException | IllegalArgumentException e) {
            fail(e instanceof IOException failed ? failed : new IOException(e));
        }
    }

    private synchronized Optional<Long> take(int number) {
        if (ended || System.nanoTime() - begin >= terms.nanos() || next - terms.firstSeed() >= terms.mostSchedules()) {
            return Optional.empty();
        }
        long seed = next++;
        open.put(seed, number);
        return Optional.of(seed);
    }

    private synchronized void answered(int number, PlayedSeed played) {
        Integer unused = open.remove(played.seed());
        cpuNanos[number] = played.cpuNanos();
        if (!played.isSound()) {
            unsound.put(played.seed(), played);
            // The others end their schedules: their seeds count as played.
            ended = true;
        }
    }

    private synchronized void told(List<Site> told) {
        sites.add(told);
    }

    /** Returns the sites of the processes that have told them, at their end. */
    synchronized List<Site> sites() {
        return sites.all();
    }

    private synchronized void fail(IOException e) {
        if (!ended) {
            failure = Optional.of(e);
        }
        end();
    }
}
