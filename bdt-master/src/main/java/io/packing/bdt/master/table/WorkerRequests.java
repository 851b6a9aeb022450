// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * Sums what workers tell of their requests to the store. Workers count since they opened the mount. An earlier master may have known a
 * worker, and has counted its requests until then: this counts those since the worker's first report. All requests of a worker
 * count that is new to the mount, also those before its first report. Thread-safe.
 */
final class WorkerRequests {
    private final Map<String, WorkerActivity> last = new HashMap<>();
    private StoreRequests total = StoreRequests.NONE;

    /** A worker that the mount's table has never had registers: no master has counted its requests yet. */
    synchronized void begins(String worker) {
        last.putIfAbsent(worker, WorkerActivity.NONE);
    }

    synchronized void heard(WorkerInfo info) {
        WorkerActivity now = info.activity();
        WorkerActivity before = last.put(info.worker(), now);
        if (before != null) {
            // A worker that began anew counts from zero.
            boolean again = before.sinceMillis() != now.sinceMillis();
            total = total.plus(again ? now.requests() : now.requests().since(before.requests()));
        }
    }

    synchronized StoreRequests total() {
        return total;
    }
}
