package io.packing.bdt;

import java.util.List;

/**
 * How an open mount of a master is.
 *
 * @param mount its name at the master
 * @param store where its blobs are
 * @param workers that are alive
 * @param masterRequests of the master to the store, since it opened the mount
 * @param workerRequests of workers, as far as they told them since then
 * @param problem why an operator must see to it; empty: it does its work
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
