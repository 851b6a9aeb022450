// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigRenderOptions;
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

/**
 * The requests of a section: those of its files, or synthetic ones.
 *
 * @param config of the section, with its defaults
 */
record RegistryRequests(Config config) {
    private static final long NANOS_PER_MICRO = 1_000;
    /** The requests of a pull, about: its manifest, and the image's layers that the user lacks. */
    private static final int REQUESTS_PER_PULL = 3;

    private static final long BYTES_PER_REQUEST = 200;
    private static final String INDEPENDENT = "independent";
    private static final List<String> ORDERS = List.of("habits", INDEPENDENT);

    /**
     * Requires that the parameters are possible and the files exist.
     *
     * @param section as messages call it
     * @throws IllegalArgumentException with the mistake
     */
    void check(String section) {
        try {
            SyntheticRegistry unused = synthetic(config);
            if (!ORDERS.contains(order())) {
                throw new IllegalArgumentException(
                        "%s.synthetic.order: %s, not '%s'".formatted(section, String.join(" or ", ORDERS), order()));
            }
        } catch (ConfigException e) {
            throw new IllegalArgumentException(section + ": " + e.getMessage(), e);
        }
        for (String file : config.getStringList("files")) {
            if (!Files.isRegularFile(Path.of(file))) {
                throw new IllegalArgumentException("%s.files: there is no '%s'".formatted(section, file));
            }
        }
    }

    static long micros(Config c, String name) {
        return c.getDuration(name).toNanos() / NANOS_PER_MICRO;
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

    /** Returns whether the requests are recorded in files. */
    boolean isRecorded() {
        return !files().isEmpty();
    }

    /** Returns a text of all parameters and files that determine the result. */
    String identity() throws IOException {
        List<String> parts = new ArrayList<>(List.of(config.root().render(ConfigRenderOptions.concise())));
        for (Path file : files()) {
            parts.add(Files.size(file) + "@" + Files.getLastModifiedTime(file).toMillis());
        }
        return String.join("|", parts);
    }

    /** Returns the memory of the requests in bytes, about. */
    long memory() {
        return BYTES_PER_REQUEST * expectedEvents();
    }

    /** Returns the number of requests, about; 0 for recorded ones, which only a read could count. */
    long expectedEvents() {
        return isRecorded() ? 0 : (long) REQUESTS_PER_PULL * config.getInt("synthetic.pulls");
    }

    Input input() {
        if (isRecorded()) {
            return new Input(
                    "recorded requests to a registry: " + String.join(", ", config.getStringList("files")),
                    OptionalLong.empty());
        }
        return new Input(
                String.format(
                        Locale.ROOT,
                        "%,d pulls of images of %,d repositories by %,d users, %s",
                        config.getInt("synthetic.pulls"),
                        config.getInt("synthetic.repositories"),
                        config.getInt("synthetic.users"),
                        order().equals(INDEPENDENT)
                                ? "in an order that no user and no manifest foretells"
                                : "who keep layers as P-UB expects (circular)"),
                OptionalLong.of(config.getLong("synthetic.seed")));
    }

    /** Reads or makes the requests. */
    RegistryTrace read() throws IOException {
        if (isRecorded()) {
            return RegistryTraceReader.read(files());
        }
        RegistryTrace trace = synthetic(config).make();
        return order().equals(INDEPENDENT) ? trace.independent(config.getLong("synthetic.seed")) : trace;
    }

    private String order() {
        return config.getString("synthetic.order");
    }
}
