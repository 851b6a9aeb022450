// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;

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
        List<String> notes) {
    public MountStatus {
        workers = List.copyOf(workers);
        lostPaths = List.copyOf(lostPaths);
        notes = List.copyOf(notes);
    }
}
