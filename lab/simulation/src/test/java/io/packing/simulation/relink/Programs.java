// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import io.packing.simulation.schedule.Carriers;
import io.packing.simulation.schedule.FaultSites;
import io.packing.simulation.schedule.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs of planted programs in a simulation. */
final class Programs {
    private static final RelinkingLoader LOADER = new RelinkingLoader(Programs.class.getClassLoader());
    private static final Carriers CARRIERS = new Carriers();

    private Programs() {}

    private static Object made(String program) throws ReflectiveOperationException {
        return Class.forName("io.packing.simulation.planted." + program, true, LOADER)
                .getConstructor()
                .newInstance();
    }

    /** Runs a program; returns what ended it early. */
    static Optional<Throwable> failure(String program, long seed)
            throws ReflectiveOperationException, InterruptedException {
        Schedule schedule = new Schedule(new Schedule.Terms(seed, 2, 10_000, false), new FaultSites(), CARRIERS);
        schedule.run("main", run(program));
        return schedule.failure();
    }

    private static Runnable run(String program) {
        return () -> {
            try {
                ((Runnable) made(program)).run();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(program, e);
            }
        };
    }

    /** Runs a program, and returns its report with the checksum of its turns. */
    @SuppressWarnings("unchecked")
    static List<String> told(String program, long seed) throws InterruptedException {
        Schedule schedule = new Schedule(new Schedule.Terms(seed, 2, 100_000, false), new FaultSites(), CARRIERS);
        List<String> told = new ArrayList<>();
        schedule.run("main", () -> {
            try {
                ((Consumer<List<String>>) made(program)).accept(told);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(program, e);
            }
        });
        if (schedule.failure().isPresent()) {
            throw new AssertionError("seed " + seed, schedule.failure().get());
        }
        told.add("trace %016x after %d turns".formatted(schedule.trace(), schedule.steps()));
        return told;
    }
}
