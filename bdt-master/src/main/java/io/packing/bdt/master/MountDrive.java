// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.cloud.MountLease;
import io.packing.bdt.master.log.MountWriter;
import io.packing.bdt.master.table.change.TableWriter;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The driver of a mount's parts: threads, or a test that steps them. */
interface MountDrive {
    /** Each part has a thread of its own. */
    MountDrive THREADS = new MountDrive() {
        @Override
        public void keep(MountLease lease) {
            lease.start();
        }

        @Override
        public ExecutorService answers(String mount) {
            return Executors.newSingleThreadExecutor(task -> new Thread(task, "bdt-answers-" + mount));
        }

        @Override
        public TableWriter mutations(MountWriter writer) {
            return writer;
        }
    };

    /** Renews a lease from now on, also while its mount is recovered. */
    void keep(MountLease lease);

    /** Returns the executor that completes the answers to a mount's mutations. */
    ExecutorService answers(String mount);

    /** Takes the mutations of a mount. */
    TableWriter mutations(MountWriter writer);
}
