// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The real threads of simulated ones, which one schedule after another uses again. Most simulated threads take a few turns, and to start a
 * real thread takes longer than that. Thread-safe.
 */
public final class Carriers {
    private final ConcurrentLinkedDeque<Carrier> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger started = new AtomicInteger();

    /** Returns a thread that waits for its turn to run a simulated one. */
    Carrier take(SimulatedThread thread) {
        // The one that has just ended its thread may be the caller: then no other one has to wake.
        Carrier carrier = idle.pollFirst();
        if (carrier == null) {
            carrier = new Carrier(started.incrementAndGet());
            carrier.start();
        }
        carrier.mount(thread);
        return carrier;
    }

    /** Takes a thread back when its simulated one has ended. */
    void put(Carrier carrier) {
        // A schedule that has ended must not stay in memory.
        carrier.mount(null);
        idle.addFirst(carrier);
    }
}
