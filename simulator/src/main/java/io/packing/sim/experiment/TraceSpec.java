// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import io.packing.sim.KnownNames;
import io.packing.sim.Scale;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceSource;
import io.packing.trace.synth.SynthOptions;
import io.packing.trace.synth.SynthTrace;
import io.packing.trace.synth.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * An experiment's trace: files that HTFS recorded, or a synthetic one.
 *
 * <p>A synthetic trace is a machine in small ({@link Scale}): it has {@code events} of the events of the paper's
 * machine, in that share of its days. Its background work keeps its real speed.
 */
record TraceSpec(Config config) {
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            TraceSpec.class, "trace.conf", ConfigParseOptions.defaults().setAllowMissing(false));

    static final KnownNames NAMES = new KnownNames("trace", DEFAULTS);

    TraceSpec {
        NAMES.check(config);
        config = config.withFallback(DEFAULTS).resolve();
        if (machinesOf(config) < 1) {
            throw new IllegalArgumentException("trace.machines: 1 at least, not " + machinesOf(config));
        }
        for (String name : List.of("compaction-speed", "flush-speed", "block")) {
            if (config.getBytes(name) < 1) {
                throw new IllegalArgumentException("trace.%s: 1 byte at least".formatted(name));
            }
        }
        if (filesOf(config).isEmpty()) {
            // Parameters that cannot generate a trace are refused before a run.
            options(config, 0);
            familyHeat(config);
            if (repeatToMinutes(config) <= Workload.Reads.NEAR_MINUTES) {
                throw new IllegalArgumentException("trace.repeat-to: more than %.0f minutes, not %s"
                        .formatted(Workload.Reads.NEAR_MINUTES, config.getDuration("repeat-to")));
            }
        }
    }

    private static Workload.FamilyHeat familyHeat(Config config) {
        String name = config.getString("family-heat");
        return Stream.of(Workload.FamilyHeat.values())
                .filter(heat -> heat.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "trace.family-heat: published, alike or apart, not '%s'".formatted(name)));
    }

    private static double repeatToMinutes(Config config) {
        return config.getDuration("repeat-to").toSeconds() / 60.0;
    }

    private static List<String> filesOf(Config config) {
        return config.getStringList("files");
    }

    private static SynthOptions options(Config config, int machine) {
        Duration length = Duration.ofNanos(Math.round(SynthOptions.DEFAULT_LENGTH.toNanos() * share(config)));
        return new SynthOptions(
                config.getLong("events"), config.getLong("seed"), length, config.getInt("first-machine") + machine);
    }

    /** Returns the share of the paper's machine that the trace has. */
    private static double share(Config config) {
        return Math.min(1, config.getLong("events") / config.getDouble("machine-events"));
    }

    private static int machinesOf(Config config) {
        return config.getInt("machines");
    }

    int machines() {
        return machinesOf(config);
    }

    boolean synthetic() {
        return files().isEmpty();
    }

    private List<String> files() {
        return filesOf(config);
    }

    Scale scale() {
        if (!synthetic()) {
            return Scale.FULL;
        }
        return new Scale(share(config), share(config));
    }

    Input input() {
        if (!synthetic()) {
            return new Input("recorded trace: " + String.join(", ", files()), OptionalLong.empty());
        }
        return new Input(
                String.format(
                        Locale.ROOT,
                        "synthetic trace: %,d events on each of %,d machines, %s %% of a machine of the paper (so are its days and"
                                + " caches)",
                        events(),
                        machines(),
                        NumberText.text(100 * share(config))),
                OptionalLong.of(config.getLong("seed")));
    }

    /**
     * Returns the possible error of a number measured on this trace, about: two seeds differ by 1 to 2 %
     * (docs/simulator.md).
     */
    double chance(double measured) {
        return synthetic() ? 0.01 * Math.abs(measured) : 0;
    }

    private long events() {
        return config.getLong("events");
    }

    List<String> hosts() {
        List<String> hosts = new ArrayList<>();
        if (synthetic()) {
            // The generator names its machines so, and counts them from 0.
            for (int i = 0; i < machines(); i++) {
                hosts.add("rs-" + (config.getInt("first-machine") + i + 1));
            }
        }
        return hosts;
    }

    List<TraceSource> open() throws IOException {
        List<TraceSource> sources = new ArrayList<>();
        if (!synthetic()) {
            return List.of(TraceFiles.open(files().stream().map(Path::of).toList()));
        }
        Workload workload = workload(share(config));
        for (int i = 0; i < machines(); i++) {
            sources.add(SynthTrace.open(workload, options(config, i)));
        }
        return sources;
    }

    private double bytesPerSecond(String name) {
        return config.getBytes(name);
    }

    /** Returns the paper's workload, with flushes and compactions slowed down as much as the whole is sped up. */
    private Workload workload(double time) {
        Workload published = Workload.facebookMessages();
        Workload.Requests requests = published.requests();
        return new Workload(
                published.trace(),
                published.files(),
                published.reads().with(familyHeat(config), repeatToMinutes(config)),
                new Workload.Requests(
                        Math.toIntExact(config.getBytes("block")),
                        bytesPerSecond("compaction-speed") * time,
                        bytesPerSecond("flush-speed") * time,
                        requests.slotBlocks(),
                        requests.regions()),
                published.families());
    }

    /** Returns the events of all machines together, about; 0 if only a read of the files could count them. */
    long expectedEvents() {
        return synthetic() ? events() * machines() : 0;
    }

    /** Returns a text that identifies the trace: its parameters, and each file's name, size and time of change. */
    String identity() throws IOException {
        StringBuilder text = new StringBuilder(config.root().render(ConfigRenderOptions.concise()));
        for (String file : files()) {
            Path path = Path.of(file);
            if (!Files.exists(path)) {
                throw new IllegalArgumentException("trace.files: there is no '%s'".formatted(path));
            }
            text.append('|')
                    .append(Files.size(path))
                    .append('@')
                    .append(Files.getLastModifiedTime(path).toMillis());
        }
        return text.toString();
    }
}
