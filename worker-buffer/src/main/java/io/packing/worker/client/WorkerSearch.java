// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.client.Retry;
import io.packing.worker.api.TimeoutOptions;
import io.packing.worker.api.Writers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The search for the worker that takes a client's files: the BDT master lists it, and it answers. Without a worker the
 * first search waits, since a worker may just be restarting; later ones fail at once, for a while. Confined to one
 * thread at a time.
 */
final class WorkerSearch {
    /** The time after a vain wait in which no search waits. */
    private static final Duration IMPATIENT = Duration.ofMinutes(1);
    /** The longest wait for an answer: a slower worker is not the one to write to. */
    private static final Duration LONGEST_PROBE = Duration.ofSeconds(5);

    private static final Duration SHORTEST_PROBE = Duration.ofSeconds(1);

    /** A question to the BDT master. */
    interface Listing {
        /** Returns the workers of the mount that count as alive. */
        List<WorkerInfo> live() throws IOException;
    }

    /** A question to a worker. */
    interface Probe {
        /** Returns the reason why the worker does not serve; empty when it does. */
        Optional<String> problem(String address, Duration timeout);
    }

    private final String store;
    private final Listing listing;
    private final Writers writers;
    private final Probe probe;
    private final Retry patient;
    private final Retry impatient;
    private final LongSupplier nanoClock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Optional<Long> inVainAt = Optional.empty();

    /** @param store the location of the mount's store, for messages */
    WorkerSearch(
            String store,
            Listing listing,
            Writers writers,
            Probe probe,
            Duration timeout,
            LongSupplier nanoClock,
            RandomGenerator random) {
        this.store = store;
        this.listing = listing;
        this.writers = writers;
        this.probe = probe;
        this.nanoClock = nanoClock;
        this.patient = new Retry(this::givenUp, timeout, nanoClock, this::pause, random);
        this.impatient = new Retry(this::givenUp, Duration.ZERO, nanoClock, this::pause, random);
    }

    /**
     * Returns the address of a worker that serves.
     *
     * @param broken the address of the worker whose stream broke, asked last
     * @throws UnavailableException naming the asked workers with their problems
     */
    String find(Optional<String> broken) throws IOException {
        boolean waits = inVainAt.isEmpty() || nanoClock.getAsLong() - inVainAt.get() >= IMPATIENT.toNanos();
        try {
            String found = (waits ? patient : impatient).call("find a worker", left -> once(broken, left));
            inVainAt = Optional.empty();
            return found;
        } catch (UnavailableException e) {
            if (waits) {
                inVainAt = Optional.of(nanoClock.getAsLong());
            }
            throw e;
        }
    }

    private String once(Optional<String> broken, Duration left) throws IOException {
        if (closed.getCount() == 0) {
            throw new IOException("the mount is closed");
        }
        List<String> problems = new ArrayList<>();
        for (String address : writers.order(listing.live(), broken)) {
            Optional<String> problem = probe.problem(address, limit(left));
            if (problem.isEmpty()) {
                return address;
            }
            problems.add("%s: %s".formatted(address, problem.get()));
        }
        throw new UnavailableException(
                problems.isEmpty()
                        ? "the BDT master lists no live worker"
                        : "of the live workers that the BDT master lists none answers: " + String.join("; ", problems));
    }

    private static Duration limit(Duration left) {
        if (left.compareTo(SHORTEST_PROBE) < 0) {
            return SHORTEST_PROBE;
        }
        return left.compareTo(LONGEST_PROBE) < 0 ? left : LONGEST_PROBE;
    }

    private String givenUp(String what, Duration timeout, String last) {
        return ("no worker of %s takes files%s: %s. Start one with this mount (packing worker), or check that it reaches the"
                        + " BDT master and is reachable from here; %s says how long a restart is waited for.")
                .formatted(
                        store,
                        timeout.isZero() ? "" : " after %.1f s".formatted(timeout.toMillis() / 1e3),
                        last,
                        TimeoutOptions.WORKER.key());
    }

    private void pause(long millis) throws InterruptedException {
        // A close of the mount ends the pause early; the next attempt then fails.
        boolean unused = closed.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Fails the search under way. */
    void close() {
        closed.countDown();
    }
}
