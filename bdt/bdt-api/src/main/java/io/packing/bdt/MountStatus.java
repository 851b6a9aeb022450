// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;
import java.util.Optional;

/**
 * The status of a mount that a master has open.
 *
 * @param mount name at the master
 * @param store of its blobs
 * @param workers that are alive
 * @param masterRequests of the master to the store, since it opened the mount
 * @param workerRequests of workers since then, as far as they reported them
 * @param problem the reason why an operator must act; empty: it does its work
 * @param lostPaths of lost files, at most a few
 * @param notes that need no act of an operator
 * @param evacuation that is under way, or the last one since the mount was opened
 */
public record MountStatus(
        String mount,
        String store,
        BdtStatistics statistics,
        List<WorkerInfo> workers,
        StoreRequests masterRequests,
        StoreRequests workerRequests,
        String problem,
        List<String> lostPaths,
        List<String> notes,
        Optional<Evacuation> evacuation) {
    /** The status of a mount without an evacuation. */
    public MountStatus(
            String mount,
            String store,
            BdtStatistics statistics,
            List<WorkerInfo> workers,
            StoreRequests masterRequests,
            StoreRequests workerRequests,
            String problem,
            List<String> lostPaths,
            List<String> notes) {
        this(
                mount,
                store,
                statistics,
                workers,
                masterRequests,
                workerRequests,
                problem,
                lostPaths,
                notes,
                Optional.empty());
    }

    public MountStatus {
        workers = List.copyOf(workers);
        lostPaths = List.copyOf(lostPaths);
        notes = List.copyOf(notes);
    }
}
