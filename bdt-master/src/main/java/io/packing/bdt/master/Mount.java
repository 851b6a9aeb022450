package io.packing.bdt.master;

import io.packing.bdt.UnavailableException;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open mount: its table, and the threads that write it, clean it and back it up. */
final class Mount implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Mount.class);
    private static final long IDLE_MILLIS = 100;

    private final String id;
    private final StoreAddress address;
    private final MountTable table;
    private final ExecutorService answers;
    private final Upkeep upkeep;
    private final MountLease lease;
    private final Thread writerThread;
    private final Thread upkeepThread;
    private final CountDownLatch stopSignal = new CountDownLatch(1);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile boolean stopping;
    private long wrote;

    /** @param lease that is being renewed */
    Mount(String id, StoreAddress address, MountTable table, ExecutorService answers, Upkeep upkeep, MountLease lease) {
        this.id = id;
        this.address = address;
        this.lease = lease;
        this.table = table;
        this.answers = answers;
        this.upkeep = upkeep;
        this.writerThread = new Thread(this::write, "bdt-writer-" + id);
        this.upkeepThread = new Thread(this::keepUp, "bdt-upkeep-" + id);
    }

    void start() {
        writerThread.start();
        upkeepThread.start();
    }

    String id() {
        return id;
    }

    /** Where the blobs are. */
    StoreAddress address() {
        return address;
    }

    /** By which other masters know that this one has the mount. */
    MountLease lease() {
        return lease;
    }

    MountTable table() {
        return table;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    /** Uploads whatever a recovery would miss. */
    void checkpoint() throws IOException {
        upkeep.checkpoint();
    }

    /** Writes what is queued, backs up, and closes. */
    @Override
    public void close() {
        stop(true);
    }

    /** Ends as a crash would: nothing is backed up. For tests. */
    void kill() {
        stop(false);
    }

    private void stop(boolean graceful) {
        if (!stopped.compareAndSet(false, true)) {
            return;
        }
        stopping = true;
        stopSignal.countDown();
        join(upkeepThread);
        if (graceful) {
            try {
                upkeep.checkpoint();
                lease.stop();
                lease.release();
            } catch (IOException | RuntimeException e) {
                log.warn("mount {} stops without a last backup; its local state is complete", id, e);
            }
        }
        lease.stop();
        table.writer().stop(new UnavailableException("the master is stopping"));
        join(writerThread);
        answers.shutdown();
        try {
            boolean ended = answers.awaitTermination(10, TimeUnit.SECONDS);
            if (!ended) {
                log.warn("mount {}: answers are still under way", id);
            }
            upkeep.close();
            table.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            log.warn("mount {} did not close cleanly; the log repairs that at the next start", id, e);
        }
    }

    private void write() {
        try {
            while (!stopping || table.writer().isTaking()) {
                wrote += table.writer().step(IDLE_MILLIS) ? 1 : 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        log.debug("mount {}: wrote {} groups", id, wrote);
    }

    private void keepUp() {
        try {
            boolean stop = false;
            while (!stop) {
                boolean worked = upkeep.step();
                stop = worked ? stopping : stopSignal.await(IDLE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
