package io.packing.worker;

import io.packing.bdt.Bdts;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker knows of the master's tokens: it asks again and again, and goes by what it heard last while the master is away.
 * Thread-safe.
 */
final class TokenKeys implements AutoCloseable {
    /** For so long a worker may take a token that was cancelled. */
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

    /** What was heard last; nothing before the master was reached. */
    KeyRing ring() {
        return ring;
    }

    /** Asks once, so that no client with a token is refused at the beginning, and then goes on asking. */
    synchronized void start() {
        try {
            ring = bdts.tokenKeys();
        } catch (IOException e) {
            LOG.warn("the master's keys of tokens are not known yet: {}", e.getMessage());
        }
        loop = Optional.of(Loop.start("token-keys", RETRY_MILLIS, this::step, this::died));
    }

    private void step() throws IOException, InterruptedException {
        ring = bdts.tokenKeys();
        if (closed.await(ASK_SECONDS, TimeUnit.SECONDS)) {
            LOG.debug("the master's tokens are not asked for any more");
        }
    }

    private void died(Throwable error) {
        // Whoever has nothing but a token is refused from now on: nobody tells which tokens were cancelled.
        ring = KeyRing.EMPTY;
        LOG.error("no token is accepted any more, restart the worker", error);
    }

    /** Why it does not hear from the master. */
    synchronized Optional<String> problem() {
        return loop.flatMap(Loop::problem);
    }

    @Override
    public synchronized void close() {
        closed.countDown();
        loop.ifPresent(Loop::close);
    }
}
