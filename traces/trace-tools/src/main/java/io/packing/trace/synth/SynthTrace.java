// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSource;
import java.util.Optional;

/**
 * A trace of one machine under the Facebook Messages workload (§3.3). It makes the events while a reader reads it.
 *
 * <p>Events come in the order in which their calls start. Equal options give equal events. Memory grows with the events
 * per day, not with the length: about 50 MB for 50 million events.
 */
public final class SynthTrace implements TraceSource {
    /** The first day of the paper's traces, June 7, 2013 (§3.2.1), in milliseconds since 1970. */
    private static final long START_MILLIS = 1_370_563_200_000L;

    private static final long PROCESS_ID = 4711;

    private final Activity[] activities;

    private SynthTrace(Activity... activities) {
        this.activities = activities;
    }

    /** Opens a trace of the paper's workload. */
    public static SynthTrace open(SynthOptions options) {
        return open(Workload.facebookMessages(), options);
    }

    public static SynthTrace open(Workload workload, SynthOptions options) {
        TraceModel model = TraceModel.of(workload);
        double scale = options.events() / workload.trace().events();
        long end = (long) (workload.trace().days() * 86_400e9);
        long seed = EvenSequence.mix(EvenSequence.mix(options.seed()) + options.machine());
        String host = "rs-" + (options.machine() + 1);
        HBaseNames names = new HBaseNames(seed, host, START_MILLIS);
        Events events = new Events(
                new TraceOrigin(host, PROCESS_ID, "regionserver"),
                START_MILLIS * 1_000_000,
                (double) options.length().toNanos() / end,
                seed);
        return new SynthTrace(
                new LiveReads(workload, model, scale, end, seed, events, names),
                new HBaseWriteAheadLog(workload, model, scale, end, seed, events, names),
                new StoreWrites(workload, model, scale, end, seed, events, names));
    }

    @Override
    public Optional<TraceEvent> next() {
        Activity first = activities[0];
        for (int i = 1; i < activities.length; i++) {
            if (activities[i].time() < first.time()) {
                first = activities[i];
            }
        }
        return first.time() == Activity.OVER ? Optional.empty() : Optional.of(first.step());
    }

    /** Does nothing: the trace holds no resource. */
    @Override
    public void close() {}
}
