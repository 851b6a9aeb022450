// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The wiring of the under file systems of this process, as far as one class loader sees it. */
final class UfsWiring {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "packing-ufs");
        thread.setDaemon(true);
        // The extension's class loader, in place of that of the calling thread: libraries look up their services
        // through it.
        thread.setContextClassLoader(UfsWiring.class.getClassLoader());
        return thread;
    });
    private static final ProcessMounts MOUNTS = mounts();

    private UfsWiring() {}

    static ProcessMounts openMounts() {
        return MOUNTS;
    }

    static Executor threads() {
        return THREADS;
    }

    private static ProcessMounts mounts() {
        ProcessMounts mounts = new ProcessMounts(new RealEngines(), THREADS::execute);
        Runtime.getRuntime().addShutdownHook(new Thread(mounts::stop, "packing-shutdown"));
        return mounts;
    }
}
