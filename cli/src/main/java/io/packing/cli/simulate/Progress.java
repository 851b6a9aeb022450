package io.packing.cli.simulate;

import io.packing.cli.rig.Narrator;
import io.packing.sim.experiment.SweepListener;
import java.util.concurrent.atomic.AtomicInteger;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;

/** Shows how far a sweep is and when it will be over, in events. */
final class Progress implements SweepListener, AutoCloseable {
    private final Narrator narrator;
    private final AtomicInteger finished = new AtomicInteger();
    private volatile @Nullable ProgressBar bar;

    Progress(Narrator narrator) {
        this.narrator = narrator;
    }

    @Override
    public void begins(String experiment, int points, int kept, long events) {
        narrator.accept("%s: %d simulations%s"
                .formatted(experiment, points, kept == 0 ? "" : ", " + kept + " of them done before"));
        if (events > 0) {
            bar = narrator.bar(experiment, events);
        }
    }

    @Override
    public void played(long events) {
        var shown = bar;
        if (shown != null) {
            shown.stepBy(events);
        }
    }

    @Override
    public void finished() {
        var shown = bar;
        var done = finished.incrementAndGet();
        if (shown != null) {
            shown.setExtraMessage(done + " done");
        }
    }

    @Override
    public void close() {
        var shown = bar;
        if (shown != null) {
            shown.close();
        }
    }
}
