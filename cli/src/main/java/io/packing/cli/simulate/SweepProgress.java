// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.simulate;

import io.packing.cli.launch.Narrator;
import io.packing.sim.experiment.SweepListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;

/**
 * The progress of all experiments together, in events. A terminal shows a bar; other outputs get a line for each experiment
 * and, while one goes on, a line now and then.
 */
final class SweepProgress implements SweepListener, AutoCloseable {
    private static final long LINE_EACH = 60_000_000_000L;

    private final Narrator narrator;
    private final long total;
    private final LongSupplier nanoClock;
    private final long began;
    private final ProgressBar bar;
    private final AtomicLong played = new AtomicLong();
    private final AtomicLong lastLine;
    private final AtomicInteger finished = new AtomicInteger();
    private volatile String experiment = "";
    private volatile int simulations;

    /** @param total events that all experiments will take, about; 0 when nobody knows */
    SweepProgress(Narrator narrator, long total, LongSupplier nanoClock) {
        this.narrator = narrator;
        this.total = total;
        this.nanoClock = nanoClock;
        this.began = nanoClock.getAsLong();
        this.lastLine = new AtomicLong(began);
        this.bar = narrator.bar("simulate", total);
    }

    @Override
    public void begins(String name, int points, int missing, long events) {
        experiment = name;
        simulations = missing;
        finished.set(0);
        lastLine.set(nanoClock.getAsLong());
        narrator.accept("%s: %d simulations%s%s"
                .formatted(name, points, missing == points ? "" : ", " + (points - missing) + " of them done", left()));
    }

    /** Returns the share that is done and the time left at the speed so far; empty before the first event. */
    private String left() {
        long done = played.get();
        if (done == 0 || total == 0) {
            return "";
        }
        double share = Math.min(1, (double) done / total);
        Duration left = Duration.ofNanos(Math.round((nanoClock.getAsLong() - began) * (1 - share) / share));
        return "; %.0f %% of all events played, about %d min %d s left"
                .formatted(100 * share, left.toMinutes(), left.toSecondsPart());
    }

    @Override
    public void played(long events) {
        played.addAndGet(events);
        bar.stepBy(events);
    }

    @Override
    public void finished() {
        String done = "%s: %d of %d".formatted(experiment, finished.incrementAndGet(), simulations);
        bar.setExtraMessage(done);
        long now = nanoClock.getAsLong();
        long last = lastLine.get();
        if (!narrator.watched() && now - last >= LINE_EACH && lastLine.compareAndSet(last, now)) {
            narrator.accept(done + left());
        }
    }

    @Override
    public void close() {
        bar.close();
    }
}
