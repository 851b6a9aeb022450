// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import io.packing.sim.KnownNames;
import io.packing.sim.RunResult;
import io.packing.sim.subtree.SplitMount;
import io.packing.sim.subtree.SplitMountRun;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;

/** A task that simulates a mount split by subtree; {@code subtrees.conf} has the parameters. */
record SubtreesTask(Config config) implements Task {
    private static final String SECTION = "subtrees";
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            SubtreesTask.class, "subtrees.conf", ConfigParseOptions.defaults().setAllowMissing(false));
    static final KnownNames NAMES = new KnownNames(SECTION, DEFAULTS);

    private static final double NANOS_PER_MICRO = 1e3;
    /** The memory for an operation's wait, twice, and for a subtree. */
    private static final long BYTES_PER_OPERATION = 16;

    private static final long BYTES_PER_SUBTREE = 64;

    SubtreesTask {
        NAMES.check(config);
        config = config.withFallback(DEFAULTS).resolve();
        try {
            SplitMount unused = mount(config);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(SECTION + ": " + e.getMessage(), e);
        }
        if (config.getLong("operations") < 1 || config.getLong("operations") > Integer.MAX_VALUE / 16) {
            throw new IllegalArgumentException(SECTION + ".operations: from 1 to 134,217,727");
        }
    }

    private static SplitMount mount(Config c) {
        return new SplitMount(
                c.getInt("groups"),
                c.getInt("masters"),
                c.getLong("files"),
                c.getDouble("bytes-per-file"),
                c.getInt("workers"),
                c.getInt("subtrees"),
                c.getDouble("skew.heat"),
                c.getDouble("skew.size"),
                new SplitMount.Rates(
                        c.getDouble("rates.creates"),
                        c.getDouble("rates.locates"),
                        c.getDouble("rates.changes"),
                        c.getDouble("rates.cross"),
                        c.getDouble("rates.heartbeats")),
                new SplitMount.Costs(
                        micros(c, "create"),
                        micros(c, "locate"),
                        micros(c, "change"),
                        micros(c, "heartbeat"),
                        micros(c, "sync"),
                        micros(c, "trip")),
                c.getDouble("drift"),
                c.getDouble("tolerance"));
    }

    private static double micros(Config c, String cost) {
        return c.getDuration("costs." + cost).toNanos() / NANOS_PER_MICRO;
    }

    @Override
    public String identity() {
        return SECTION + "|" + config.root().render(ConfigRenderOptions.concise());
    }

    @Override
    public long memory() {
        return BYTES_PER_OPERATION * expectedEvents() + BYTES_PER_SUBTREE * config.getLong("subtrees");
    }

    @Override
    public long expectedEvents() {
        return config.getLong("operations");
    }

    @Override
    public Input input() {
        return new Input(
                "%,d operations on %,d files in %,d subtrees"
                        .formatted(expectedEvents(), config.getLong("files"), config.getLong("subtrees")),
                OptionalLong.of(config.getLong("seed")));
    }

    /** Returns 0: queues make the times depend on each other, so that their chance is unknown. */
    @Override
    public double chance(RunResult run, String metric) {
        return 0;
    }

    @Override
    public Set<String> metrics() {
        return SplitMountRun.metricNames();
    }

    @Override
    public RunResult run(LongConsumer played) {
        return SplitMountRun.of(mount(config), expectedEvents(), config.getLong("seed"), played);
    }
}
