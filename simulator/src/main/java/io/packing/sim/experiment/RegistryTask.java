package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import io.packing.cache.BlockCache;
import io.packing.cache.CachePolicy;
import io.packing.cache.SizedCache;
import io.packing.sim.KnownNames;
import io.packing.sim.RunResult;
import io.packing.sim.registry.Prediction;
import io.packing.sim.registry.RegistryCacheRun;
import io.packing.sim.registry.RegistryTrace;
import io.packing.sim.registry.RegistryTraceReader;
import io.packing.sim.registry.SyntheticRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;

/** Requests to a registry through a cache of layers; {@code registry.conf} has the parameters. */
record RegistryTask(Config config) implements Task {
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            RegistryTask.class, "registry.conf", ConfigParseOptions.defaults().setAllowMissing(false));
    static final KnownNames NAMES = new KnownNames("registry", DEFAULTS);

    private static final long NANOS_PER_MICRO = 1_000;
    /** Of a pull: its manifest and the layers of an image that its user lacks, about. */
    private static final int REQUESTS_PER_PULL = 3;

    private static final long BYTES_PER_REQUEST = 200;

    RegistryTask {
        NAMES.check(config);
        config = config.withFallback(DEFAULTS).resolve();
        try {
            SizedCache unused = policy(config).makeSized(1, BlockCache.Departures.UNHEARD);
            Prediction unusedPrediction = prediction(config);
            RegistryCacheRun.Fetch unusedFetch = fetch(config);
            SyntheticRegistry unusedTrace = synthetic(config);
            double share = config.getDouble("share");
            if (!(share > 0 && share <= 10)) {
                throw new IllegalArgumentException("registry.share: more than 0 and at most 10, not " + share);
            }
        } catch (ConfigException e) {
            throw new IllegalArgumentException("registry: " + e.getMessage(), e);
        }
        for (String file : config.getStringList("files")) {
            if (!Files.isRegularFile(Path.of(file))) {
                throw new IllegalArgumentException("registry.files: there is no '%s'".formatted(file));
            }
        }
    }

    private static CachePolicy policy(Config c) {
        return CachePolicy.named(c.getString("policy"));
    }

    private static Prediction prediction(Config c) {
        return Prediction.named(c.getString("prediction"));
    }

    private static long micros(Config c, String name) {
        return c.getDuration(name).toNanos() / NANOS_PER_MICRO;
    }

    private static RegistryCacheRun.Fetch fetch(Config c) {
        return new RegistryCacheRun.Fetch(
                micros(c, "fetch.time"), (double) c.getBytes("fetch.rate"), c.getInt("fetch.parallel"));
    }

    private static SyntheticRegistry synthetic(Config all) {
        Config c = all.getConfig("synthetic");
        return new SyntheticRegistry(
                c.getInt("repositories"),
                c.getInt("bases"),
                c.getInt("users"),
                c.getInt("pulls"),
                c.getDouble("skew"),
                c.getInt("favourites"),
                c.getDouble("forgetful"),
                c.getDouble("pushes"),
                micros(c, "pull-every"),
                c.getBytes("layer-median"),
                c.getDouble("layer-sigma"),
                c.getBytes("client-rate"),
                c.getLong("seed"));
    }

    private List<Path> files() {
        return config.getStringList("files").stream().map(Path::of).toList();
    }

    @Override
    public String identity() throws IOException {
        List<String> parts = new ArrayList<>(List.of("registry", config.root().render(ConfigRenderOptions.concise())));
        for (Path file : files()) {
            parts.add(Files.size(file) + "@" + Files.getLastModifiedTime(file).toMillis());
        }
        return String.join("|", parts);
    }

    @Override
    public long memory() {
        return BYTES_PER_REQUEST * expectedEvents();
    }

    @Override
    public long expectedEvents() {
        return files().isEmpty() ? (long) REQUESTS_PER_PULL * config.getInt("synthetic.pulls") : 0;
    }

    @Override
    public Input input() {
        if (!files().isEmpty()) {
            return new Input(
                    "recorded requests to a registry: " + String.join(", ", config.getStringList("files")),
                    OptionalLong.empty());
        }
        return new Input(
                String.format(
                        Locale.ROOT,
                        "%,d pulls of images of %,d repositories by %,d users",
                        config.getInt("synthetic.pulls"),
                        config.getInt("synthetic.repositories"),
                        config.getInt("synthetic.users")),
                OptionalLong.of(config.getLong("synthetic.seed")));
    }

    /** Of a share of random requests: its standard deviation, were they independent. */
    @Override
    public double chance(RunResult run, String metric) {
        if (!metric.endsWith("-ratio") || !files().isEmpty()) {
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
        RegistryTrace trace = files().isEmpty() ? synthetic(config).make() : RegistryTraceReader.read(files());
        return RegistryCacheRun.of(
                trace, policy(config), prediction(config), config.getDouble("share"), fetch(config), played);
    }
}
