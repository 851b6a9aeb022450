// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.packing.placement.ReplicaMode;
import io.packing.sim.KnownNames;
import io.packing.sim.RunResult;
import io.packing.sim.registry.RegistryNodes;
import io.packing.sim.registry.RegistryNodesRun;
import io.packing.sim.registry.RegistryTrace;
import io.packing.sim.registry.SyntheticFiles;
import java.io.IOException;
import java.util.Set;
import java.util.function.LongConsumer;

/** A task that pulls from a registry of nodes with local stores; {@code registry-nodes.conf} has the parameters. */
record RegistryNodesTask(Config config) implements Task {
    private static final String SECTION = "registry-nodes";
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            RegistryNodesTask.class,
            "registry-nodes.conf",
            ConfigParseOptions.defaults().setAllowMissing(false));
    static final KnownNames NAMES = new KnownNames(SECTION, DEFAULTS);
    /** The memory that the index of files takes for each request, about. */
    private static final long BYTES_PER_REQUEST = 3_000;

    RegistryNodesTask {
        NAMES.check(config);
        config = config.withFallback(DEFAULTS).resolve();
        try {
            RegistryNodes unused = nodes(config);
            SyntheticFiles unusedFiles = content(config);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(SECTION + ": " + e.getMessage(), e);
        }
        new RegistryRequests(config).check(SECTION);
    }

    private static RegistryNodes nodes(Config c) {
        return new RegistryNodes(
                c.getInt("nodes"),
                c.getInt("replicas"),
                ReplicaMode.named(c.getString("mode")),
                c.getDouble("cache"),
                c.getDouble("preconstruct"),
                RegistryRequests.micros(c, "disk.seek"),
                (double) c.getBytes("disk.rate"),
                (double) c.getBytes("network.rate"),
                c.getInt("restore.cores"),
                (double) c.getBytes("restore.rate"));
    }

    private static SyntheticFiles content(Config all) {
        Config c = all.getConfig("content");
        return new SyntheticFiles(
                c.getDouble("shared"), c.getBytes("median"), c.getDouble("sigma"), c.getInt("most"), c.getLong("seed"));
    }

    private RegistryRequests requests() {
        return new RegistryRequests(config);
    }

    @Override
    public String identity() throws IOException {
        return SECTION + "|" + requests().identity();
    }

    @Override
    public long memory() {
        return requests().memory() + BYTES_PER_REQUEST * expectedEvents();
    }

    @Override
    public long expectedEvents() {
        return requests().expectedEvents();
    }

    @Override
    public Input input() {
        return requests().input();
    }

    /** Returns 0: queues make the times depend on each other, so that their chance is unknown. */
    @Override
    public double chance(RunResult run, String metric) {
        return 0;
    }

    @Override
    public Set<String> metrics() {
        return RegistryNodesRun.metricNames();
    }

    @Override
    public RunResult run(LongConsumer played) throws IOException {
        RegistryTrace trace = requests().read();
        return RegistryNodesRun.of(trace, content(config).make(trace), nodes(config), played);
    }
}
