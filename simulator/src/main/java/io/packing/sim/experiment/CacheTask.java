// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import io.packing.cache.BlockCache;
import io.packing.cache.CachePolicy;
import io.packing.sim.KnownNames;
import io.packing.sim.RunResult;
import io.packing.sim.cachetrace.CacheRequests;
import io.packing.sim.cachetrace.CacheRun;
import io.packing.sim.cachetrace.CsvLayout;
import io.packing.sim.cachetrace.CsvRequests;
import io.packing.sim.cachetrace.FilesInTurn;
import io.packing.sim.cachetrace.OracleGeneralRequests;
import io.packing.sim.cachetrace.ZipfRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;

/** A task that plays a trace of requests for objects through a single cache; {@code cache.conf} has the parameters. */
record CacheTask(Config config) implements Task {
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            CacheTask.class, "cache.conf", ConfigParseOptions.defaults().setAllowMissing(false));
    static final KnownNames NAMES = new KnownNames("cache", DEFAULTS);

    private static final long TYPICAL_OBJECT = 4096;
    private static final long MOST_OBJECTS = 1L << 28;
    /** The policy that knows the future, which no server can have. */
    private static final String OPTIMAL = "belady";

    private static final long OPTIMAL_BYTES_PER_BLOCK = 150;
    private static final List<String> FORMATS = List.of("zipf", "oracle-general", "csv");

    CacheTask {
        NAMES.check(config);
        config = config.withFallback(DEFAULTS).resolve();
        check(config);
    }

    private static void check(Config config) {
        try {
            if (!config.getString("policy").equals(OPTIMAL)) {
                CachePolicy policy = CachePolicy.named(config.getString("policy"));
                if (config.getBytes("bytes") > 0) {
                    policy.makeSized(config.getBytes("bytes"), BlockCache.EvictionListener.UNHEARD);
                }
            } else if (config.getBytes("bytes") > 0) {
                throw new IllegalArgumentException("cache.bytes: '%s' counts objects only".formatted(OPTIMAL));
            }
            layout(config);
            if (config.getInt("size") < 1) {
                throw new IllegalArgumentException("cache.size: 1 object at least, not " + config.getInt("size"));
            }
            String format = config.getString("format");
            if (!FORMATS.contains(format)) {
                throw new IllegalArgumentException("cache.format: no '%s'; there are %s".formatted(format, FORMATS));
            }
            List<String> files = config.getStringList("files");
            if (format.equals("zipf") != files.isEmpty()) {
                throw new IllegalArgumentException("cache.files: %s with the format %s"
                        .formatted(files.isEmpty() ? "there are none" : "they are not read", format));
            }
            for (String file : files) {
                if (!Files.isRegularFile(Path.of(file))) {
                    throw new IllegalArgumentException("cache.files: there is no '%s'".formatted(file));
                }
            }
        } catch (ConfigException e) {
            throw new IllegalArgumentException("cache: " + e.getMessage(), e);
        }
    }

    private static CsvLayout layout(Config config) {
        Config c = config.getConfig("csv");
        String delimiter = c.getString("delimiter");
        String ids = c.getString("ids");
        if (delimiter.length() != 1) {
            throw new IllegalArgumentException("cache.csv.delimiter: one character, not '%s'".formatted(delimiter));
        }
        if (!ids.equals("numbers") && !ids.equals("names")) {
            throw new IllegalArgumentException("cache.csv.ids: numbers or names, not '%s'".formatted(ids));
        }
        return new CsvLayout(
                delimiter.charAt(0),
                c.getBoolean("header"),
                c.getString("object"),
                c.getString("bytes"),
                c.getString("time"),
                ids.equals("numbers"),
                c.getBoolean("skip-bad-lines"));
    }

    private boolean isOptimal() {
        return config.getString("policy").equals(OPTIMAL);
    }

    private CachePolicy policy() {
        return CachePolicy.named(config.getString("policy"));
    }

    /** Returns the capacity in bytes; 0 if it counts objects. */
    private long bytes() {
        return config.getBytes("bytes");
    }

    private int size() {
        return config.getInt("size");
    }

    private List<Path> files() {
        return config.getStringList("files").stream().map(Path::of).toList();
    }

    private CacheRequests open() throws IOException {
        return switch (config.getString("format")) {
            case "oracle-general" -> new FilesInTurn(files(), OracleGeneralRequests::open);
            case "csv" -> new FilesInTurn(files(), file -> CsvRequests.open(file, layout(config)));
            default ->
                new ZipfRequests(
                        config.getInt("zipf.objects"),
                        config.getLong("zipf.requests"),
                        config.getDouble("zipf.skew"),
                        config.getDouble("zipf.once"),
                        config.getLong("zipf.seed"));
        };
    }

    @Override
    public String identity() throws IOException {
        List<String> parts = new ArrayList<>(List.of("cache", config.root().render(ConfigRenderOptions.concise())));
        for (Path file : files()) {
            parts.add(Files.size(file) + "@" + Files.getLastModifiedTime(file).toMillis());
        }
        return String.join("|", parts);
    }

    @Override
    public long memory() {
        // The number of objects that fit is unknown before the run.
        long objects = bytes() == 0 ? size() : Math.min(bytes() / TYPICAL_OBJECT + 1, MOST_OBJECTS);
        return (isOptimal() ? OPTIMAL_BYTES_PER_BLOCK : policy().bytesPerBlock()) * objects;
    }

    @Override
    public long expectedEvents() {
        return files().isEmpty() ? config.getLong("zipf.requests") : 0;
    }

    @Override
    public Input input() {
        if (!files().isEmpty()) {
            return new Input(
                    "recorded requests (%s): %s"
                            .formatted(config.getString("format"), String.join(", ", config.getStringList("files"))),
                    OptionalLong.empty());
        }
        return new Input(
                String.format(
                        Locale.ROOT,
                        "%,d requests, Zipf-distributed over %,d objects with skew %s, %s %% of them for objects of their own",
                        config.getLong("zipf.requests"),
                        config.getInt("zipf.objects"),
                        NumberText.text(config.getDouble("zipf.skew")),
                        NumberText.text(100 * config.getDouble("zipf.once"))),
                OptionalLong.of(config.getLong("zipf.seed")));
    }

    /**
     * Returns the standard deviation of a share of random requests, as if they were independent; 0 for a recorded
     * trace.
     */
    @Override
    public double chance(RunResult run, String metric) {
        if (!metric.endsWith("-rate") || !files().isEmpty()) {
            return 0;
        }
        double share = run.metric(metric);
        return Math.sqrt(share * (1 - share) / run.metric("requests"));
    }

    @Override
    public Set<String> metrics() {
        return CacheRun.metricNames();
    }

    @Override
    public RunResult run(LongConsumer played) throws IOException {
        if (isOptimal()) {
            try (CacheRequests requests = open();
                    CacheRequests again = open()) {
                return CacheRun.optimal(requests, again, size(), played);
            }
        }
        try (CacheRequests requests = open()) {
            return bytes() == 0
                    ? CacheRun.of(requests, policy(), size(), played)
                    : CacheRun.ofBytes(requests, policy(), bytes(), played);
        }
    }
}
