package io.packing.chaos.masters;

import io.packing.chaos.cluster.Group;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * What everything in a round shares.
 *
 * @param wrong files that were read and are not what anybody wrote, in words
 */
record Ground(Group group, History history, Outages outages, Queue<String> wrong, LongSupplier nanos) {
    Ground(Group group, LongSupplier nanos) {
        this(group, new History(), new Outages(group.clients().size(), nanos), new ConcurrentLinkedQueue<>(), nanos);
    }
}
