// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * Sums what workers tell of their requests to the store. Workers count since they opened the mount, and this since its first
 * report of each: what a worker did before, an earlier master has counted. Thread-safe.
 */
final class WorkerRequests {
    private final Map<String, WorkerActivity> last = new HashMap<>();
    private StoreRequests total = StoreRequests.NONE;

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
