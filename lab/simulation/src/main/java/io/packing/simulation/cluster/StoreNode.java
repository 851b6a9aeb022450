// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.simulation.schedule.Schedule;
import io.packing.store.FaultyObjectStore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.ObjectStore;
import java.util.concurrent.TimeUnit;

/** The object store of a cluster, which is slow and fails requests. It outlives all machines. */
final class StoreNode {
    private final Schedule schedule;
    private final Swarm swarm;
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private boolean healed;

    StoreNode(Schedule schedule, Swarm swarm) {
        this.schedule = schedule;
        this.swarm = swarm;
    }

    /** Ends the faults. */
    void heal() {
        healed = true;
    }

    /** Returns the store as a node sees it. */
    ObjectStore seenBy(SimulatedNode node) {
        FaultyObjectStore faulty = new FaultyObjectStore(
                objects, schedule.random(), new FaultyObjectStore.Rates(swarm.requests() / 2, swarm.requests() / 2, 0));
        return MasterNode.proxy(ObjectStore.class, (method, arguments) -> {
            if (method.getName().equals("close")) {
                return null;
            }
            boolean asks =
                    !method.getName().equals("location") && !method.getName().equals("takesStream");
            if (asks) {
                travel();
            }
            Object answer = MasterNode.invoke(healed ? objects : faulty, method, arguments);
            if (asks) {
                travel();
            }
            return answer;
        });
    }

    private void travel() throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(1_000 + schedule.random().nextInt(20_000));
    }
}
