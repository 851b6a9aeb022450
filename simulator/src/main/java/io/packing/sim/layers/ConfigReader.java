// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.layers;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.packing.cache.CachePolicy;
import io.packing.sim.Cause;
import io.packing.sim.KnownNames;
import io.packing.sim.Rhythm;
import io.packing.sim.hdfs.HdfsOptions;
import io.packing.sim.node.DeviceOptions;
import io.packing.sim.node.NodeStoreOptions;
import io.packing.sim.tier.TieredCache;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A reader of {@link SimulatorOptions} from HOCON. It refuses unknown names and impossible values, and names them. */
public final class ConfigReader {
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            ConfigReader.class, "simulator.conf", ConfigParseOptions.defaults().setAllowMissing(false));

    /** The parameters of the stack. */
    public static final KnownNames NAMES = new KnownNames("stack", DEFAULTS);

    private ConfigReader() {}

    /** Returns the defaults: {@code simulator.conf}. */
    public static Config defaults() {
        return DEFAULTS;
    }

    /**
     * Reads {@code changes} over the defaults.
     *
     * @throws IllegalArgumentException naming an unknown, malformed or impossible parameter
     */
    public static SimulatorOptions read(Config changes) {
        NAMES.check(changes);
        try {
            return simulator(changes.withFallback(DEFAULTS).resolve());
        } catch (ConfigException e) {
            throw new IllegalArgumentException("stack: " + e.getMessage(), e);
        }
    }

    private static SimulatorOptions simulator(Config c) {
        return new SimulatorOptions(
                c.getBytes("hdfs.block"),
                c.getInt("hdfs.replicas"),
                constant(c, "hdfs.architecture", HdfsOptions.Architecture.class),
                c.getString("hdfs.observe").equals("all") ? HdfsOptions.ALL : c.getInt("hdfs.observe"),
                store(c),
                c.getLong("flash.cycles"),
                new CostOptions(
                        c.getDouble("cost.disk"),
                        c.getDouble("cost.ram-gb"),
                        c.getDouble("cost.flash-gb"),
                        c.getDouble("cost.disk-failures"),
                        c.getDouble("cost.ram-failures")),
                new Rhythm(c.getDouble("run.pace"), nanos(c, "run.burst"), c.getDouble("run.burst-share")),
                nanos(c, "run.jitter"),
                c.getLong("run.seed"),
                nanosOrNever(c, "run.until"),
                nanosOrNever(c, "run.crash-at"),
                nanos(c, "run.reorder"),
                c.getBoolean("run.touched"));
    }

    private static NodeStoreOptions store(Config c) {
        Set<Cause> causes = new HashSet<>();
        for (String label : c.getStringList("buffer.files-of")) {
            causes.add(Arrays.stream(Cause.values())
                    .filter(cause -> cause.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("buffer.files-of: no activity '" + label + "'")));
        }
        return new NodeStoreOptions(
                c.getBytes("ram.size"),
                policy(c, "ram.policy"),
                nanos(c, "ram.latency"),
                c.getBytes("flash.size"),
                policy(c, "flash.policy"),
                nanos(c, "flash.latency"),
                constant(c, "flash.hit", TieredCache.FlashHit.class),
                constant(c, "cache.writes", NodeStoreOptions.WritePolicy.class),
                (int) within(c, "cache.page", 512, 1 << 30),
                (int) within(c, "disks.block", 1, 1 << 30),
                c.getBytes("buffer.threshold"),
                Set.copyOf(causes),
                c.getInt("disks.count"),
                device(c),
                within(c, "disks.slice", 1, Long.MAX_VALUE),
                c.getInt("disks.queue-limit"),
                within("run.stretch", nanos(c, "run.stretch"), 1, Long.MAX_VALUE),
                constant(c, "hdfs.logging", Logging.class) == Logging.COMBINED);
    }

    private static CachePolicy policy(Config c, String name) {
        try {
            return CachePolicy.named(c.getString(name));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: %s".formatted(name, e.getMessage()), e);
        }
    }

    private enum Logging {
        SEPARATE,
        COMBINED
    }

    private enum Kind {
        SPINNING,
        NVME,
        CLOUD
    }

    private static DeviceOptions device(Config c) {
        Config d = c.getConfig("disks");
        return switch (constant(c, "disks.device", Kind.class)) {
            case SPINNING -> new DeviceOptions.Spinning(nanos(d, "spinning.seek"), d.getBytes("spinning.bandwidth"));
            case NVME ->
                new DeviceOptions.Nvme(
                        nanos(d, "nvme.read"),
                        nanos(d, "nvme.write"),
                        d.getBytes("nvme.read-bandwidth"),
                        d.getBytes("nvme.write-bandwidth"));
            case CLOUD ->
                new DeviceOptions.Cloud(
                        nanos(d, "cloud.latency"),
                        d.getInt("cloud.operations"),
                        d.getBytes("cloud.operation"),
                        d.getBytes("cloud.bandwidth"));
        };
    }

    private static long nanos(Config c, String name) {
        return within(name, c.getDuration(name, TimeUnit.NANOSECONDS), 0, Long.MAX_VALUE);
    }

    private static long nanosOrNever(Config c, String name) {
        return c.getString(name).equals("none") ? Long.MAX_VALUE : nanos(c, name);
    }

    private static long within(Config c, String name, long from, long to) {
        return within(name, c.getBytes(name), from, to);
    }

    private static long within(String name, long value, long from, long to) {
        if (value < from || value > to) {
            throw new IllegalArgumentException("%s: from %,d to %,d, not %,d".formatted(name, from, to, value));
        }
        return value;
    }

    /** Parses an enum's constant, written in lower case with hyphens. */
    private static <E extends Enum<E>> E constant(Config c, String name, Class<E> type) {
        String text = c.getString(name);
        for (E value : type.getEnumConstants()) {
            if (value.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(text)) {
                return value;
            }
        }
        throw new IllegalArgumentException("%s: no '%s'; one of %s"
                .formatted(
                        name,
                        text,
                        Arrays.stream(type.getEnumConstants())
                                .map(value ->
                                        value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                                .toList()));
    }
}
