// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import alluxio.Server;
import alluxio.grpc.GrpcService;
import alluxio.grpc.ServiceType;
import alluxio.wire.WorkerNetAddress;
import alluxio.worker.Worker;
import io.packing.loop.BackOff;
import io.packing.loop.RareLog;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the packing mounts when a worker starts. Alluxio itself opens a mount at the first use of a file; until then
 * files that an earlier process left in the buffer would wait, on this disk alone.
 *
 * <p>The worker asks Alluxio's master for the mounts, again and again until it answers and every mount was opened once.
 * Mounts that are made later are opened by their first use.
 */
public final class StartupMounts implements Worker {
    private static final Logger LOG = LoggerFactory.getLogger(StartupMounts.class);
    private static final BackOff BACK_OFF = new BackOff(2_000, 60_000);

    /** The mounts of a cluster, and a way to open one in this process. */
    interface Mounts {
        /** Returns the ids of all packing mounts, by their Alluxio paths. */
        Map<String, Long> packing() throws IOException;

        void open(long mountId) throws IOException;
    }

    private final Mounts mounts;
    private final Set<Long> open = new HashSet<>();
    /** The failures to open each mount, by its id. */
    private final Map<Long, Integer> failed = new HashMap<>();

    private final CountDownLatch stopped = new CountDownLatch(1);

    StartupMounts(Mounts mounts) {
        this.mounts = mounts;
    }

    @Override
    public String getName() {
        return "PackingOpenMounts";
    }

    @Override
    @SuppressWarnings("rawtypes") // as Alluxio declares it
    public Set<Class<? extends Server>> getDependencies() {
        return Set.of();
    }

    @Override
    public Map<ServiceType, GrpcService> getServices() {
        return Map.of();
    }

    @Override
    public void start(WorkerNetAddress address) {
        Thread thread = new Thread(this::run, "packing-open-mounts");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            boolean done = false;
            for (int tries = 1; !done && !stopped.await(BACK_OFF.millis(tries), TimeUnit.MILLISECONDS); tries++) {
                done = step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Error e) {
            LOG.error("packing mounts that are not open yet are opened by their first use only", e);
            throw e;
        }
    }

    /** Opens the mounts that are not open; returns whether all are. */
    boolean step() {
        try {
            boolean all = true;
            for (Map.Entry<String, Long> mount : mounts.packing().entrySet()) {
                all &= open.contains(mount.getValue()) || open(mount.getKey(), mount.getValue());
            }
            return all;
        } catch (IOException | RuntimeException e) {
            LOG.warn("packing mounts are not open yet: Alluxio's mount table is not to be had: {}", e.toString());
            return false;
        }
    }

    private boolean open(String path, long id) {
        try {
            mounts.open(id);
            LOG.info("packing mount {} is open", path);
            return open.add(id);
        } catch (IOException | RuntimeException e) {
            int failures = failed.merge(id, 1, Integer::sum);
            // It is tried for ever; that it still fails is said ever less often.
            if (RareLog.tells(failures)) {
                LOG.warn("packing mount {} could not be opened yet, {} times: {}", path, failures, e.toString());
            }
            return false;
        }
    }

    @Override
    public void stop() {
        stopped.countDown();
    }

    @Override
    public void close() {
        stop();
    }
}
