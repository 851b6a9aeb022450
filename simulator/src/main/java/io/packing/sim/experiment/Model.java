package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.sim.ConfigReader;
import io.packing.sim.RunResult;
import io.packing.sim.Simulation;
import io.packing.sim.pack.PackSimulation;
import io.packing.sim.pack.StackReader;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongConsumer;

/** What an experiment simulates: the key {@code model} of its file. */
enum Model {
    /** HBase over HDFS, local file systems, caches and disks (chapter 3, §3.2.2). */
    LAYERS {
        @Override
        Config defaults() {
            return ConfigReader.defaults();
        }

        @Override
        void check(Config stack) {
            ConfigReader.read(stack);
        }

        @Override
        Set<String> metrics(Config stack) {
            return Simulation.metricNames();
        }

        @Override
        boolean plays(Config stack) {
            return true;
        }

        @Override
        long memory(Point point) {
            return simulation(point).memory(point.trace().machines());
        }

        @Override
        RunResult run(Point point, List<TraceSource> traces, LongConsumer progress) throws IOException {
            return simulation(point)
                    .run(traces, point.trace().machines(), point.trace().hosts(), progress);
        }

        private Simulation simulation(Point point) {
            return new Simulation(
                    ConfigReader.read(point.stack()), point.trace().scale());
        }
    },
    /** The packing layer over an object store. */
    PACKING {
        @Override
        Config defaults() {
            return StackReader.defaults();
        }

        @Override
        void check(Config stack) {
            new PackSimulation(stack);
        }

        @Override
        Set<String> metrics(Config stack) {
            return new PackSimulation(stack).metricNames();
        }

        @Override
        boolean plays(Config stack) {
            return new PackSimulation(stack).replays();
        }

        @Override
        long memory(Point point) {
            return new PackSimulation(point.stack()).memory();
        }

        @Override
        RunResult run(Point point, List<TraceSource> traces, LongConsumer progress) throws IOException {
            return new PackSimulation(point.stack()).run(traces, progress);
        }
    };

    /** All parameters of its stack. */
    abstract Config defaults();

    /** Refuses a stack that cannot be. */
    abstract void check(Config stack);

    /** The names of the metrics of its runs. */
    abstract Set<String> metrics(Config stack);

    /** Whether such a stack plays the experiment's trace. */
    abstract boolean plays(Config stack);

    /** Bytes of memory that a run takes, about. */
    abstract long memory(Point point);

    abstract RunResult run(Point point, List<TraceSource> traces, LongConsumer progress) throws IOException;

    static Model of(String name) {
        for (var model : values()) {
            if (model.name().toLowerCase(Locale.ROOT).equals(name)) {
                return model;
            }
        }
        throw new IllegalArgumentException("model: no '%s'; there are layers and packing".formatted(name));
    }
}
