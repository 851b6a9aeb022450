// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.simulation.schedule.Schedule;
import io.packing.store.FaultyObjectStore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.ObjectStore;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** The object store of a cluster, which is slow and fails requests. It outlives all machines. */
final class StoreNode {
    /** The share of requests that fail in a storm. */
    private static final double STORM = 0.7;

    private final Schedule schedule;
    private final Swarm swarm;
    private final ObjectStore objects;
    private boolean healed;
    /** The virtual time until which most requests fail. */
    private long stormUntil;

    StoreNode(Schedule schedule, Swarm swarm, StepRecords steps) {
        this.objects = steps.watched(new InMemoryObjectStore());
        this.schedule = schedule;
        this.swarm = swarm;
    }

    /** Lets most requests fail for a time, half of them after they took effect: many failures in a row meet one operation. */
    void storm(long nanos) {
        stormUntil = schedule.nanos() + nanos;
    }

    /** Ends the faults. */
    void heal() {
        healed = true;
    }

    /** Returns the store as a node sees it. */
    ObjectStore seenBy(SimulatedNode node) {
        ObjectStore faulty = failing(swarm.requests());
        ObjectStore stormy = failing(STORM);
        return MasterNode.proxy(ObjectStore.class, (method, arguments) -> {
            if (method.getName().equals("close")) {
                return null;
            }
            boolean asks =
                    !method.getName().equals("location") && !method.getName().equals("takesStream");
            if (asks) {
                travel();
            }
            ObjectStore now = schedule.nanos() < stormUntil ? stormy : faulty;
            Object answer;
            try {
                answer = MasterNode.invoke(healed ? objects : now, method, arguments);
            } catch (StoreUnavailableException e) {
                schedule.sites().hitCaller();
                throw e;
            }
            if (asks) {
                travel();
            }
            return answer;
        });
    }

    private ObjectStore failing(double share) {
        return new FaultyObjectStore(objects, schedule.random(), new FaultyObjectStore.Rates(share / 2, share / 2, 0));
    }

    /** Waits as a request does on its way. An interrupt ends it with an exception of a store. */
    private void travel() throws IOException {
        try {
            TimeUnit.MICROSECONDS.sleep(1_000 + schedule.random().nextInt(20_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted on the way to the store");
        }
    }
}
