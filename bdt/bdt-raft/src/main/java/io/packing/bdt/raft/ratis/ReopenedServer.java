// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import io.packing.sorted.DiskFullException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's Raft server, which is made anew after its disk was full: Ratis gives a log up after one failed write.
 * Meanwhile no server runs, so that a leader without a log does not keep the others from an election. Thread-safe.
 */
final class ReopenedServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReopenedServer.class);
    private static final long LOOK_MILLIS = 500;

    /** A maker of servers that are not started. */
    interface Making {
        RaftServer make(MasterGroupMachine.Listener listener) throws IOException;
    }

    /** A listener to the current server. */
    interface Listener extends MasterGroupMachine.Listener {
        /** Learns that this member stops until its disk has space. */
        void full(Throwable cause);

        /** Learns that this member takes part again. */
        void back();
    }

    private final Making making;
    private final Path directory;
    private final long room;
    private final Listener listener;
    private final Executor threads;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile RaftServer current;

    /**
     * Makes the first server.
     *
     * @param directory of the log, or one above it
     * @param room free bytes that the next server needs
     */
    ReopenedServer(Making making, Path directory, long room, Listener listener, Executor threads) throws IOException {
        this.making = making;
        this.directory = directory;
        this.room = room;
        this.listener = listener;
        this.threads = threads;
        this.current = making.make(new Life());
    }

    /** A listener to one server, until that has failed. */
    private final class Life implements MasterGroupMachine.Listener {
        private volatile boolean ended;

        @Override
        public void leads() {
            if (!ended) {
                listener.leads();
            }
        }

        @Override
        public void doesNotLead() {
            if (!ended) {
                listener.doesNotLead();
            }
        }

        @Override
        public synchronized void failed(String why, Throwable cause) {
            if (ended || closing.getCount() == 0) {
                return;
            }
            ended = true;
            if (DiskFullException.isCauseOf(cause)) {
                listener.full(cause);
                threads.execute(ReopenedServer.this::reopen);
            } else {
                listener.failed(why, cause);
            }
        }
    }

    RaftServer get() {
        return current;
    }

    void start() throws IOException {
        current.start();
    }

    private void reopen() {
        try {
            end(current);
            while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (hasRoom() && restarted()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            listener.failed("it could not restart after its disk was full", e);
        }
    }

    private boolean hasRoom() {
        try {
            return Files.getFileStore(directory).getUsableSpace() >= room;
        } catch (IOException e) {
            LOG.warn("the free space of {} is unknown: {}", directory, e.toString());
            return false;
        }
    }

    private synchronized boolean restarted() {
        if (closing.getCount() == 0) {
            return true;
        }
        try {
            RaftServer next = making.make(new Life());
            current = next;
            next.start();
            listener.back();
            return true;
        } catch (IOException e) {
            LOG.warn("Raft could not restart after its disk was full; this member tries again", e);
            end(current);
            return false;
        }
    }

    private static void end(RaftServer server) {
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("Raft did not close cleanly; the next start repairs that", e);
        }
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        synchronized (this) {
            current.close();
        }
    }
}
