// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.layers;

import com.typesafe.config.ConfigFactory;
import io.packing.sim.BrokenInvariantException;
import io.packing.sim.Playback;
import io.packing.sim.RunResult;
import io.packing.sim.Scale;
import io.packing.sim.hdfs.HdfsModel;
import io.packing.sim.hdfs.HdfsOptions;
import io.packing.sim.node.DataNode;
import io.packing.sim.node.NodeCounters;
import io.packing.sim.node.NodeStoreOptions;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/** A run of one trace through one configuration (§3.2.2). */
public final class Simulation {
    private static final int EVENTS_PER_CHECK = 1 << 20;

    private final SimulatorOptions config;
    private final Scale scale;

    /**
     * Makes a simulation of a configured machine.
     *
     * @param scale part of the machine that the trace has; caches shrink by it
     */
    public Simulation(SimulatorOptions config, Scale scale) {
        this.config = config;
        this.scale = scale;
    }

    /** Returns the names of all metrics of a run. */
    public static Set<String> metricNames() {
        SimulatorOptions config = ConfigReader.read(ConfigFactory.empty());
        List<DataNode> nodes = List.of(new DataNode(config.store(), Long.MAX_VALUE));
        HdfsOptions hdfs = new HdfsOptions(config.blockBytes(), config.replicas(), config.architecture(), 1, 0);
        return new Summary(config, Scale.FULL, nodes, 0)
                .result(new HdfsModel(hdfs, nodes, false, List.of()), 0)
                .metrics()
                .keySet();
    }

    /** Returns the memory for the caches of all observed machines, in bytes. */
    public long memory(int machines) {
        return scaled().memory() * (config.observed() == HdfsOptions.ALL ? machines : 1);
    }

    /**
     * Plays the traces, one of each machine or one of all.
     *
     * @param machines in the ring
     * @param hosts names of the machines in the order of the ring, as far as they are known
     * @param progress receives the number of events, now and then
     * @throws IllegalArgumentException if the traces are empty or have more machines than the ring
     */
    public RunResult run(List<TraceSource> traces, int machines, List<String> hosts, LongConsumer progress)
            throws IOException {
        HdfsOptions hdfs = new HdfsOptions(
                config.blockBytes(), config.replicas(), config.architecture(), machines, config.observed());
        List<DataNode> nodes = new ArrayList<>();
        for (int i = 0; i < (config.observed() == HdfsOptions.ALL ? machines : 1); i++) {
            nodes.add(new DataNode(scaled(), scale.nanos(config.crashAt())));
        }
        HdfsModel model = new HdfsModel(hdfs, nodes, config.touched(), hosts);
        Playback playback = new Playback(
                traces,
                config.rhythm(),
                config.reorderNanos(),
                config.jitterNanos(),
                config.seed(),
                scale.nanos(config.until()));
        long end = 0;
        while (playback.advance()) {
            end = playback.time();
            model.take(end, playback.event());
            if (model.counters().events % EVENTS_PER_CHECK == 0) {
                nodes.forEach(DataNode::check);
                progress.accept(model.counters().events);
            }
        }
        if (model.counters().events == 0) {
            throw new IllegalArgumentException("the trace is empty: it has nothing to simulate");
        }
        progress.accept(model.counters().events);
        nodes.forEach(DataNode::finish);
        check(model, nodes);
        return new Summary(config, scale, nodes, end).result(model, playback.late());
    }

    /** Requires that the machines received the bytes that HDFS clients moved. */
    private static void check(HdfsModel model, List<DataNode> nodes) {
        long reads = 0;
        long writes = 0;
        long network = 0;
        for (DataNode node : nodes) {
            reads += NodeCounters.total(node.counters().reads);
            writes += NodeCounters.total(node.counters().writes);
            network += node.counters().networkBytes;
        }
        BrokenInvariantException.same("bytes sent to local stores and read there", model.counters().localReads, reads);
        BrokenInvariantException.same(
                "bytes sent to local stores and written there", model.counters().localWrites, writes);
        BrokenInvariantException.same("bytes on the network and received", model.counters().network, network);
    }

    private NodeStoreOptions scaled() {
        NodeStoreOptions store = config.store();
        return store.scaled(
                scale.bytes(store.ramBytes()),
                scale.bytes(store.flashBytes()),
                Math.max(1, scale.nanos(store.stretchNanos())));
    }
}
