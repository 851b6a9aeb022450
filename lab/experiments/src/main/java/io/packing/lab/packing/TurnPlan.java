// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.lab.direct.DirectKind;
import io.packing.lab.load.Meter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * The order of an ingest's parts: a packed run is before each direct client, so that changes of the machine meet both.
 *
 * @param runs of the packed side, at least; one for each direct client if these are more
 * @param directs the clients without packing; each has one run
 */
public record TurnPlan(int runs, List<DirectKind> directs) {
    public TurnPlan {
        directs = List.copyOf(directs);
        if (runs < 1) {
            throw new IllegalArgumentException("--runs must be positive");
        }
        if (directs.isEmpty() || EnumSet.copyOf(directs).size() < directs.size()) {
            throw new IllegalArgumentException("--direct: one or more clients, each once: " + directs);
        }
    }

    /** Returns the plan of one packed run and one client. */
    public static TurnPlan once(DirectKind direct) {
        return new TurnPlan(1, List.of(direct));
    }

    /** Returns the number of packed runs. */
    public int packedRuns() {
        return Math.max(runs, directs.size());
    }

    /** A run of the packed side. */
    public interface Packed {
        /**
         * Measures the run.
         *
         * @param turn from 0
         */
        Meter.Metered run(int turn) throws IOException, InterruptedException;
    }

    /** A run of a direct client. */
    public interface Direct {
        /** Measures the run. */
        DirectRun run(DirectKind kind) throws IOException, InterruptedException;
    }

    /** Does all runs. */
    public IngestResult play(IngestSpec spec, Packed packed, Direct direct) throws IOException, InterruptedException {
        List<Meter.Metered> packedRuns = new ArrayList<>();
        List<DirectRun> directRuns = new ArrayList<>();
        for (int turn = 0; turn < packedRuns(); turn++) {
            packedRuns.add(packed.run(turn));
            if (turn < directs.size()) {
                directRuns.add(direct.run(directs.get(turn)));
            }
        }
        return IngestResult.of(spec, packedRuns, directRuns);
    }
}
