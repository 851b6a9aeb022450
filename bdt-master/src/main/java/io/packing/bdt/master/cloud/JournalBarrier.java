// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.UnavailableException;
import io.packing.loop.BackOff;
import io.packing.loop.RareLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets callers wait until the backing store has the journal of all that was written before they came. Those who wait at the
 * same time share an upload. While the store does not answer they wait on, as a {@code close()} does. Thread-safe; the uploads are made
 * by the one thread that calls {@link #run}.
 */
public final class JournalBarrier {
    private static final Logger LOG = LoggerFactory.getLogger(JournalBarrier.class);
    private static final BackOff BACK_OFF = new BackOff(100, 3_200);

    /** Uploads what the journal has. */
    interface Upload {
        void run() throws IOException;
    }

    private final String mount;
    private final Upload upload;
    private final BlockingQueue<CompletableFuture<Void>> waiting = new LinkedBlockingQueue<>();
    private volatile @Nullable IOException ended;
    private int failures;

    JournalBarrier(String mount, Upload upload) {
        this.mount = mount;
        this.upload = upload;
    }

    /** Completes when the store has the journal of whatever is in the table now. */
    public CompletableFuture<Void> passed() {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        waiting.add(passed);
        IOException why = ended;
        if (why != null) {
            fail(why);
        }
        return passed;
    }

    /** Uploads for those who wait until {@code stop} is counted down or the thread is interrupted, and then no more. */
    public void run(CountDownLatch stop) throws InterruptedException {
        while (stop.getCount() > 0) {
            try {
                serve(waiting.take());
            } catch (IOException | RuntimeException e) {
                if (stop.await(BACK_OFF.millis(failures), TimeUnit.MILLISECONDS)) {
                    LOG.debug("mount {}: nobody waits for the journal any more", mount);
                }
            }
        }
    }

    /** Uploads once for all waiting calls; returns whether a call waited. */
    boolean step() throws IOException {
        CompletableFuture<Void> first = waiting.poll();
        if (first != null) {
            serve(first);
        }
        return first != null;
    }

    private void serve(CompletableFuture<Void> first) throws IOException {
        List<CompletableFuture<Void>> all = new ArrayList<>(List.of(first));
        waiting.drainTo(all);
        try {
            upload.run();
        } catch (IOException | RuntimeException e) {
            waiting.addAll(all);
            failed(e);
            throw e;
        } catch (Error e) {
            waiting.addAll(all);
            end(new UnavailableException("mount %s: its journal is not uploaded any more (%s)".formatted(mount, e), e));
            throw e;
        }
        failures = 0;
        all.forEach(each -> each.complete(null));
    }

    private void failed(Exception e) {
        failures++;
        if (RareLog.tells(failures)) {
            LOG.warn(
                    "mount {}: changes wait for their journal, whose upload failed {} times; trying again",
                    mount,
                    failures,
                    e);
        }
    }

    /** Ends the uploads: all waiting and later calls fail for this reason. The first reason stays. */
    public void end(IOException why) {
        IOException known = ended;
        IOException reason = known == null ? why : known;
        ended = reason;
        fail(reason);
    }

    private void fail(IOException why) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        waiting.drainTo(all);
        all.forEach(each -> each.completeExceptionally(why));
    }
}
