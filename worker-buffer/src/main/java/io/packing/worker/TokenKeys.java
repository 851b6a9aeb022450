// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.Bdts;
import io.packing.loop.Loop;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker's copy of the master's keys and cancellations of tokens; the worker refreshes it, and uses the last one
 * while the master is away. Thread-safe.
 */
final class TokenKeys implements AutoCloseable {
    /** The longest time for which a worker may accept a cancelled token, in seconds. */
    private static final long ASK_SECONDS = 5;

    private static final long RETRY_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(TokenKeys.class);

    private final Bdts bdts;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile KeyRing ring = KeyRing.EMPTY;
    private Optional<Loop> loop = Optional.empty();

    TokenKeys(Bdts bdts) {
        this.bdts = bdts;
    }

    /** Returns the last copy; it is empty before the first answer of the master. */
    KeyRing ring() {
        return ring;
    }

    /** Asks the master once, so that the worker refuses no token at the beginning, and then goes on asking. */
    synchronized void start() {
        try {
            ring = bdts.tokenKeys();
        } catch (IOException e) {
            LOG.warn("the master's keys of tokens are not known yet: {}", e.getMessage());
        }
        loop = Optional.of(WorkerLoops.start("token-keys", RETRY_MILLIS, this::step, this::died));
    }

    private void step() throws IOException, InterruptedException {
        ring = bdts.tokenKeys();
        if (closed.await(ASK_SECONDS, TimeUnit.SECONDS)) {
            LOG.debug("the master's tokens are not asked for any more");
        }
    }

    private void died(Throwable error) {
        // Without the loop the worker learns of no cancelled token, so it refuses all tokens from now on.
        ring = KeyRing.EMPTY;
        LOG.error("no token is accepted any more, restart the worker", error);
    }

    /** Returns the reason why the master does not answer. */
    synchronized Optional<String> problem() {
        return loop.flatMap(Loop::problem);
    }

    @Override
    public synchronized void close() {
        closed.countDown();
        loop.ifPresent(Loop::close);
    }
}
