// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.UnavailableException;
import io.packing.loop.BackOff;
import io.packing.loop.Loop;
import io.packing.loop.LoopLog;
import io.packing.store.StoreUnavailableException;
import io.packing.transport.DirectMemory;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loops of a worker. A lack of memory outside of the heap counts as a failure, after which the step is repeated. */
final class WorkerLoops {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoops.class);
    /** The longest pause after failures, as a multiple of the first one. */
    private static final int LONGEST_PAUSE = 16;

    private WorkerLoops() {}

    /**
     * Starts a loop.
     *
     * @param retryMillis the pause after the first failure
     * @param died receives the error that ends the loop, on its thread
     */
    static Loop start(String name, long retryMillis, Loop.Step step, Consumer<Throwable> died) {
        BackOff backOff = new BackOff(retryMillis, LONGEST_PAUSE * retryMillis);
        return Loop.start(name, backOff, new Log(), () -> run(step), died);
    }

    private static void run(Loop.Step step) throws IOException, InterruptedException {
        try {
            step.run();
        } catch (OutOfMemoryError e) {
            if (!DirectMemory.isExhausted(e)) {
                throw e;
            }
            throw new IOException("there is no memory outside of the heap for a buffer", e);
        }
    }

    private static final class Log implements LoopLog {
        @Override
        public void failed(String loop, Exception e) {
            if (e instanceof StoreUnavailableException || e instanceof UnavailableException) {
                LOG.warn("{}: {}; trying again", loop, e.getMessage());
            } else {
                LOG.error("{} failed; trying again", loop, e);
            }
        }

        @Override
        public void failedAgain(String loop, long failures, Exception e) {
            LOG.warn("{} failed {} times, now with {}; trying again", loop, failures, e.toString());
        }

        @Override
        public void works(String loop, long failures) {
            LOG.info("{} works again after {} failures", loop, failures);
        }

        @Override
        public void interrupted(String loop) {
            LOG.warn("{} was interrupted and goes on", loop);
        }
    }
}
