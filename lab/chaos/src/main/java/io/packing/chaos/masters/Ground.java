// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import io.packing.chaos.cluster.MasterGroupProcesses;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * The state that all parts of a round share.
 *
 * @param wrong files whose bytes no client wrote, in words
 */
record Ground(
        MasterGroupProcesses group,
        OperationHistory history,
        Outages outages,
        Queue<String> wrong,
        LongSupplier nanos) {
    Ground(MasterGroupProcesses group, LongSupplier nanos) {
        this(
                group,
                new OperationHistory(),
                new Outages(group.clients().size(), nanos),
                new ConcurrentLinkedQueue<>(),
                nanos);
    }
}
