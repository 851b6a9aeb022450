// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.bdt.Bdt;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first registration of a process, which waits while the lease of an earlier one lasts. */
final class PatientRegistration {
    private static final long SLACK_MILLIS = 500;
    /** The pause between looks at an earlier process, longer than a beat: a live process beats meanwhile. */
    private static final long LOOK_MILLIS = 1_500;

    private static final Logger LOG = LoggerFactory.getLogger(PatientRegistration.class);

    private PatientRegistration() {}

    /** Registers; waits for an earlier process with this id, which keeps it if it beats meanwhile. */
    static WorkerSession register(Bdt bdt, WorkerRegistration registration) throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        long expected = Long.MAX_VALUE - SLACK_MILLIS;
        while (true) {
            try {
                return bdt.register(registration);
            } catch (WorkerInUseException e) {
                long left = e.leaseLeft().toMillis();
                // A master that has just started knows no beats, and so waits a lease for each worker again.
                if (left > expected + SLACK_MILLIS && !e.isPresumed()) {
                    throw e;
                }
                if (expected > left + LOOK_MILLIS) {
                    LOG.info("{}; waiting for its lease to end, {} ms", e.getMessage(), left);
                }
                long pause = Math.min(left + 1, LOOK_MILLIS);
                expected = left - pause;
                try {
                    boolean unused = never.await(pause, TimeUnit.MILLISECONDS);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw e;
                }
            }
        }
    }
}
