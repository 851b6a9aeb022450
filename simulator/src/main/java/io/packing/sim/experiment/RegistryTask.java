// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.packing.cache.BlockCache;
import io.packing.cache.CachePolicy;
import io.packing.cache.SizedCache;
import io.packing.sim.KnownNames;
import io.packing.sim.RunResult;
import io.packing.sim.registry.Prediction;
import io.packing.sim.registry.RegistryCacheRun;
import java.io.IOException;
import java.util.Set;
import java.util.function.LongConsumer;

/** A task that plays requests to a registry through a cache of layers; {@code registry.conf} has the parameters. */
record RegistryTask(Config config) implements Task {
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            RegistryTask.class, "registry.conf", ConfigParseOptions.defaults().setAllowMissing(false));
    static final KnownNames NAMES = new KnownNames("registry", DEFAULTS);

    RegistryTask {
        NAMES.check(config);
        config = config.withFallback(DEFAULTS).resolve();
        try {
            SizedCache unused = policy(config).makeSized(1, BlockCache.EvictionListener.UNHEARD);
            Prediction unusedPrediction = prediction(config);
            RegistryCacheRun.Fetch unusedFetch = fetch(config);
            double share = config.getDouble("share");
            if (!(share > 0 && share <= 10)) {
                throw new IllegalArgumentException("registry.share: more than 0 and at most 10, not " + share);
            }
        } catch (ConfigException e) {
            throw new IllegalArgumentException("registry: " + e.getMessage(), e);
        }
        new RegistryRequests(config).check("registry");
    }

    private static CachePolicy policy(Config c) {
        return CachePolicy.named(c.getString("policy"));
    }

    private static Prediction prediction(Config c) {
        return Prediction.named(c.getString("prediction"));
    }

    private static RegistryCacheRun.Fetch fetch(Config c) {
        return new RegistryCacheRun.Fetch(
                RegistryRequests.micros(c, "fetch.time"),
                (double) c.getBytes("fetch.rate"),
                c.getInt("fetch.parallel"));
    }

    private RegistryRequests requests() {
        return new RegistryRequests(config);
    }

    @Override
    public String identity() throws IOException {
        return "registry|" + requests().identity();
    }

    @Override
    public long memory() {
        return requests().memory();
    }

    @Override
    public long expectedEvents() {
        return requests().expectedEvents();
    }

    @Override
    public Input input() {
        return requests().input();
    }

    /** Returns the standard deviation of a share of random requests, as if they were independent. */
    @Override
    public double chance(RunResult run, String metric) {
        if (!metric.endsWith("-ratio") || requests().isRecorded()) {
            return 0;
        }
        double share = run.metric(metric);
        return Math.sqrt(share * (1 - share) / run.metric("requests"));
    }

    @Override
    public Set<String> metrics() {
        return RegistryCacheRun.metricNames();
    }

    @Override
    public RunResult run(LongConsumer played) throws IOException {
        return RegistryCacheRun.of(
                requests().read(),
                policy(config),
                prediction(config),
                config.getDouble("share"),
                fetch(config),
                played);
    }
}
