// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import alluxio.underfs.UfsManager;
import alluxio.worker.Worker;
import alluxio.worker.WorkerFactory;
import alluxio.worker.WorkerRegistry;

/** Puts {@link StartupMounts} into Alluxio's worker process; found there by Java's service loader. */
public final class OpenMountsFactory implements WorkerFactory {
    @Override
    public boolean isEnabled() {
        return true;
    }

    @Override
    public Worker create(WorkerRegistry registry, UfsManager ufsManager) {
        StartupMounts worker = new StartupMounts(new AlluxioMounts(ufsManager));
        registry.add(StartupMounts.class, worker);
        return worker;
    }
}
