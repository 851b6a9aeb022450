// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.sim.BrokenInvariantException;
import java.util.SplittableRandom;

/**
 * An object store as clients see it (§2.4). Each request has a latency, and its bytes come over a link of limited
 * bandwidth. Above a rate the store refuses requests with 503. A client repeats a refused request after a pause that
 * doubles.
 */
final class StoreModel {
    private final StackOptions.Store config;
    private final EventQueue agenda;
    private final SplittableRandom random;
    private final RateLimit writes;
    private final RateLimit reads;
    private final long[] sent = new long[SimulatedRequestKind.values().length];
    private final long[] refused = new long[SimulatedRequestKind.values().length];
    private final long[] answered = new long[SimulatedRequestKind.values().length];
    private final long[] bytes = new long[SimulatedRequestKind.values().length];

    StoreModel(StackOptions.Store config, EventQueue agenda, long seed) {
        this.config = config;
        this.agenda = agenda;
        this.random = new SplittableRandom(seed);
        this.writes = new RateLimit(config.putsPerSecond());
        this.reads = new RateLimit(config.getsPerSecond());
    }

    /** Sends a request until the store answers it. */
    void request(SimulatedRequestKind kind, long length, Link link, Runnable done) {
        request(kind, length, link, agenda.now(), done);
    }

    /**
     * Sends a request whose transfer has begun already, until the store answers it.
     *
     * @param begun time of its first byte; a refused request is sent anew
     */
    void request(SimulatedRequestKind kind, long length, Link link, long begun, Runnable done) {
        attempt(kind, length, link, begun, 0, done);
    }

    private void attempt(SimulatedRequestKind kind, long length, Link link, long begun, int attempts, Runnable done) {
        int at = kind.index();
        long now = agenda.now();
        sent[at]++;
        long latency = latency(kind);
        if (!(kind == SimulatedRequestKind.GET ? reads : writes).admits(now)) {
            refused[at]++;
            agenda.after(latency + pause(attempts), () -> {
                attempt(kind, length, link, agenda.now(), attempts + 1, done);
            });
            return;
        }
        long end = Math.max(link.transfer(begun, length), now) + latency;
        agenda.at(end, () -> {
            answered[at]++;
            bytes[at] += length;
            done.run();
        });
    }

    /** Draws a latency, evenly distributed around the mean. */
    private long latency(SimulatedRequestKind kind) {
        long mean = kind == SimulatedRequestKind.GET ? config.getNanos() : config.putNanos();
        return Math.round(mean * (1 + config.latencySpread() * (2 * random.nextDouble() - 1)));
    }

    /**
     * Draws a pause: half of a bound that doubles, plus a random part of the other half, as AWS's clients do when
     * throttled.
     */
    private long pause(int attempts) {
        double bound = Math.min((double) config.backoffMaxNanos(), config.backoffNanos() * Math.pow(2, attempts));
        return Math.round(bound / 2 * (1 + random.nextDouble()));
    }

    /** Counts the requests with an answer. */
    long answered(SimulatedRequestKind kind) {
        return answered[kind.index()];
    }

    /** Counts the requests that were refused with 503; each was repeated. */
    long refused(SimulatedRequestKind kind) {
        return refused[kind.index()];
    }

    /** Returns the bytes moved by answered requests. */
    long bytes(SimulatedRequestKind kind) {
        return bytes[kind.index()];
    }

    /** Requires that no request was lost. */
    void check() {
        for (SimulatedRequestKind kind : SimulatedRequestKind.values()) {
            BrokenInvariantException.same(
                    kind + " requests sent, and refused or answered",
                    sent[kind.index()],
                    refused[kind.index()] + answered[kind.index()]);
        }
    }
}
