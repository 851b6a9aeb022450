// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.packing.options.PriceTable;
import io.packing.sim.KnownNames;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** A reader of {@link StackOptions} from HOCON. It refuses unknown names and impossible values, and names them. */
public final class StackReader {
    private static final String PRICES = "store.prices";
    private static final String FROM_PRICES = "prices";
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            StackReader.class, "pack.conf", ConfigParseOptions.defaults().setAllowMissing(false));

    /** The parameters of the packing layer, without the prices, whose reader knows their names. */
    public static final KnownNames NAMES = new KnownNames("stack", DEFAULTS, List.of(PRICES));

    private StackReader() {}

    /** Returns the defaults: {@code pack.conf}. They have no prices. */
    public static Config defaults() {
        return DEFAULTS;
    }

    static StackOptions read(Config changes) {
        NAMES.check(changes);
        if (!changes.hasPath(PRICES)) {
            throw new IllegalArgumentException(
                    "store.prices: missing; include a file of conf/prices, as conf/simulator/packing-table-1.conf does");
        }
        try {
            return stack(changes.withFallback(DEFAULTS).resolve());
        } catch (ConfigException e) {
            throw new IllegalArgumentException("stack: " + e.getMessage(), e);
        }
    }

    private static StackOptions stack(Config c) {
        return new StackOptions(
                constant(c, "mode", Mode.class) == Mode.PACKED,
                constant(c, "workload", Kind.class) == Kind.TRACE,
                new StackOptions.Ingest(
                        c.getInt("ingest.clients"),
                        c.getInt("ingest.files-per-client"),
                        Math.toIntExact(Math.min(Integer.MAX_VALUE, c.getBytes("ingest.file-size"))),
                        c.getInt("ingest.files-per-directory"),
                        nanos(c, "ingest.file-time"),
                        constant(c, "ingest.read-back", StackOptions.ReadBack.class)),
                new StackOptions.Workers(
                        c.getInt("workers.count"),
                        c.getDouble("workers.rate"),
                        c.getBytes("workers.link"),
                        c.getBytes("workers.disk"),
                        nanos(c, "workers.peer-latency"),
                        nanos(c, "workers.read-time")),
                new StackOptions.Packing(
                        constant(c, "packing.policy", StackOptions.Policy.class),
                        c.getBytes("packing.blob"),
                        nanos(c, "packing.seal-after"),
                        nanos(c, "packing.seal-quiet"),
                        c.getDouble("packing.seal-budget"),
                        nanos(c, "packing.push-ahead"),
                        c.getInt("packing.pushes"),
                        c.getBytes("packing.buffer"),
                        c.getBytes("packing.spill"),
                        c.getBytes("packing.read-cache"),
                        c.getBytes("packing.read-window"),
                        c.getBytes("packing.extent"),
                        nanos(c, "packing.backup-interval"),
                        c.getLong("packing.backup-changes"),
                        c.getBytes("packing.table-file")),
                store(c),
                c.getLong("run.seed"));
    }

    private enum Mode {
        PACKED,
        DIRECT
    }

    private enum Kind {
        INGEST,
        TRACE
    }

    private static StackOptions.Store store(Config c) {
        PriceTable prices = prices(c.getConfig(PRICES));
        return new StackOptions.Store(
                prices,
                nanos(c, "store.put-latency"),
                nanos(c, "store.get-latency"),
                c.getDouble("store.latency-spread"),
                c.getBytes("store.connection"),
                c.getString("store.puts-per-second").equals(FROM_PRICES)
                        ? prices.putsPerSecond()
                        : c.getDouble("store.puts-per-second"),
                c.getDouble("store.gets-per-second"),
                nanos(c, "store.backoff"),
                nanos(c, "store.backoff-max"),
                c.getInt("store.lists-per-create"));
    }

    private static PriceTable prices(Config c) {
        Properties properties = new Properties();
        for (Map.Entry<String, ConfigValue> entry : c.entrySet()) {
            properties.setProperty(
                    String.join(".", ConfigUtil.splitPath(entry.getKey())),
                    String.valueOf(entry.getValue().unwrapped()));
        }
        return PriceTable.of(properties, PRICES);
    }

    private static long nanos(Config c, String name) {
        return c.getDuration(name, TimeUnit.NANOSECONDS);
    }

    /** Parses an enum's constant, written in lower case. */
    private static <E extends Enum<E>> E constant(Config c, String name, Class<E> type) {
        String text = c.getString(name);
        for (E value : type.getEnumConstants()) {
            if (value.name().toLowerCase(Locale.ROOT).equals(text)) {
                return value;
            }
        }
        throw new IllegalArgumentException("%s: no '%s'; one of %s"
                .formatted(name, text, Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT)));
    }
}
