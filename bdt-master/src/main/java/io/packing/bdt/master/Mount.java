package io.packing.bdt.master;

import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open mount: its table, and the threads that write it, clean it and back it up. */
final class Mount implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Mount.class);
    private static final long IDLE_MILLIS = 100;

    private final String id;
    private final MountTable table;
    private final ExecutorService answers;
    private final Upkeep upkeep;
    private final Thread writerThread;
    private final Thread upkeepThread;
    private final CountDownLatch stopSignal = new CountDownLatch(1);
    private volatile boolean stopping;
    private volatile Runnable onTrouble = () -> {};
    private volatile Optional<String> upkeepEnded = Optional.empty();
    private long wrote;

    Mount(String id, MountTable table, ExecutorService answers, Upkeep upkeep) {
        this.id = id;
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

    MountTable table() {
        return table;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    /** Is run, on a thread of the mount, when it takes no mutations any more or ends its upkeep. */
    void onTrouble(Runnable told) {
        onTrouble = told;
    }

    /** Why operators must see to the mount; empty when it does its work. */
    Optional<String> problem() {
        String problems = Stream.of(table.writer().problem(), upkeepEnded, upkeep.problem())
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
        return problems.isEmpty() ? Optional.empty() : Optional.of("mount %s: %s".formatted(id, problems));
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
        stopping = true;
        stopSignal.countDown();
        join(upkeepThread);
        if (graceful) {
            try {
                upkeep.checkpoint();
            } catch (IOException | RuntimeException e) {
                log.warn("mount {} stops without a last backup; its local state is complete", id, e);
            }
        }
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
            boolean told = false;
            while (!stopping || table.writer().isTaking()) {
                wrote += table.writer().step(IDLE_MILLIS) ? 1 : 0;
                if (!told && !table.writer().isTaking()) {
                    told = true;
                    onTrouble.run();
                }
            }
        } catch (Throwable e) {
            if (stopping && e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                return;
            }
            log.error("mount {}: its writer ends", id, e);
            table.writer().stop(new UnavailableException("its writer ended (%s); restart the master".formatted(e), e));
            onTrouble.run();
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
        } catch (Throwable e) {
            if (stopping && e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                return;
            }
            log.error("mount {}: its upkeep ends", id, e);
            upkeepEnded = Optional.of("its upkeep ended (%s); restart the master".formatted(e));
            onTrouble.run();
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
