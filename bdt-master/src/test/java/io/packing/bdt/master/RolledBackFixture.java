// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.ModelRuns.Count;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A mount whose master, or whose worker, is put back to an older copy of its directory now and then. */
abstract class RolledBackFixture extends MountFixture {
    private Optional<DirectoryCopy> masterCopy = Optional.empty();
    private Optional<List<Reclaim>> workerCopy = Optional.empty();
    private int copies;

    /** Copies a directory, or puts one back; returns what it did. */
    String rollBack(ModelWorker worker, Random random) throws IOException {
        switch (random.nextInt(4)) {
            case 0 -> {
                masterCopy = Optional.of(DirectoryCopy.of(stores, data, work.resolve("copy-" + copies++)));
                return "copy of the master's directory";
            }
            case 1 -> {
                workerCopy = Optional.of(worker.copy());
                return "copy of the worker's directory";
            }
            case 2 -> {
                if (masterCopy.isEmpty()) {
                    return "nothing";
                }
                masterGoesBack(masterCopy.get());
                ModelRuns.count(Count.MASTERS_PUT_BACK);
                comesBack(worker);
                return "the master on an older copy";
            }
            default -> {
                if (workerCopy.isEmpty()) {
                    return "nothing";
                }
                // What the store lacks would be lost.
                worker.pushAll();
                worker.report(session);
                worker.goBack(workerCopy.get());
                ModelRuns.count(Count.WORKERS_PUT_BACK);
                comesBack(worker);
                return "the worker on an older copy";
            }
        }
    }

    /** The master dies when the store has all changes, and starts on an older state of its directory. */
    private void masterGoesBack(DirectoryCopy older) throws IOException {
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        checkHeldFiles(master);
        master.kill();
        older.putBack(data);
        master = BdtMaster.start(TestStores.config(data).takingOver(), stores);
        table = master.open(TestStores.MOUNT);
    }

    private void comesBack(ModelWorker worker) throws IOException {
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        worker.report(session);
        worker.reclaim(session);
    }
}
