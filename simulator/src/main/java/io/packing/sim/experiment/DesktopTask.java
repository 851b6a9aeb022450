// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import io.packing.cache.CachePolicy;
import io.packing.sim.KnownNames;
import io.packing.sim.RunResult;
import io.packing.sim.desktop.DesktopOptions;
import io.packing.sim.desktop.DesktopRun;
import io.packing.sim.device.Device;
import io.packing.sim.device.FlashDrive;
import io.packing.sim.device.SpinningDisk;
import io.packing.trace.TraceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** A task that plays recorded system calls on a local stack; {@code desktop.conf} has the parameters. */
record DesktopTask(Config config) implements Task {
    private static final Config DEFAULTS = ConfigFactory.parseResources(
            DesktopTask.class, "desktop.conf", ConfigParseOptions.defaults().setAllowMissing(false));
    static final KnownNames NAMES = new KnownNames("desktop", DEFAULTS);

    private static final double THOUSAND = 1_000;
    private static final String DAMAGE = "trace-damaged-blocks";

    DesktopTask {
        NAMES.check(config);
        config = config.withFallback(DEFAULTS).resolve();
        try {
            stack(config);
        } catch (ConfigException e) {
            throw new IllegalArgumentException("desktop: " + e.getMessage(), e);
        }
        List<String> files = config.getStringList("files");
        if (files.isEmpty()) {
            throw new IllegalArgumentException("desktop.files: name traces of system calls");
        }
        for (String file : files) {
            if (!Files.isRegularFile(place(file))) {
                throw new IllegalArgumentException("desktop.files: there is no '%s'".formatted(file));
            }
        }
    }

    /** Finds a file below the working directory, or else below the program's home, which has recordings of its own. */
    private static Path place(String file) {
        Path here = Path.of(file);
        return Files.isRegularFile(here)
                ? here
                : Path.of(System.getProperty("packing.home", "..")).resolve(file);
    }

    private static DesktopOptions stack(Config c) {
        Config packing = c.getConfig("packing");
        int page = Math.toIntExact(c.getBytes("page"));
        if (page < 1) {
            throw new IllegalArgumentException("desktop.page: at least a byte");
        }
        return new DesktopOptions(
                device(c),
                Math.toIntExact(c.getBytes("ram") / page),
                page,
                c.getDuration("call").toNanos(),
                constant(c, "fsync", DesktopOptions.Fsync.class),
                constant(c, "rename", DesktopOptions.Rename.class),
                constant(c, "prefetch", DesktopOptions.Prefetch.class),
                new DesktopOptions.Packing(
                        packing.getBytes("limit"),
                        packing.getBytes("blob"),
                        packing.getDouble("put-per-1000") / THOUSAND));
    }

    private static Device device(Config c) {
        return switch (c.getString("device")) {
            case "disk" -> new SpinningDisk(c.getDuration("disk.seek").toNanos(), c.getBytes("disk.bandwidth"));
            case "flash" ->
                new FlashDrive(
                        c.getDuration("flash.read").toNanos(),
                        c.getDuration("flash.write").toNanos(),
                        c.getBytes("flash.read-bandwidth"),
                        c.getBytes("flash.write-bandwidth"));
            default ->
                throw new IllegalArgumentException(
                        "desktop.device: disk or flash, not '%s'".formatted(c.getString("device")));
        };
    }

    private static <E extends Enum<E>> E constant(Config c, String name, Class<E> type) {
        List<String> known = Arrays.stream(type.getEnumConstants())
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
        int at = known.indexOf(c.getString(name));
        if (at < 0) {
            throw new IllegalArgumentException(
                    "desktop.%s: no '%s'; there are %s".formatted(name, c.getString(name), known));
        }
        return type.getEnumConstants()[at];
    }

    private List<Path> files() {
        return config.getStringList("files").stream().map(DesktopTask::place).toList();
    }

    @Override
    public String identity() throws IOException {
        List<String> parts = new ArrayList<>(List.of("desktop", config.root().render(ConfigRenderOptions.concise())));
        for (Path file : files()) {
            parts.add(Files.size(file) + "@" + Files.getLastModifiedTime(file).toMillis());
        }
        return String.join("|", parts);
    }

    @Override
    public long memory() {
        return CachePolicy.named("lru").bytesPerBlock() * (config.getBytes("ram") / config.getBytes("page"));
    }

    @Override
    public long expectedEvents() {
        return 0;
    }

    @Override
    public Input input() {
        return new Input(
                "recorded system calls: " + String.join(", ", config.getStringList("files")), OptionalLong.empty());
    }

    @Override
    public double chance(RunResult run, String metric) {
        return 0;
    }

    @Override
    public Set<String> metrics() {
        Set<String> names = new TreeSet<>(DesktopRun.metricNames(stack(config)));
        names.add(DAMAGE);
        return names;
    }

    @Override
    public RunResult run(LongConsumer played) throws IOException {
        try (TraceFiles traces = TraceFiles.open(files())) {
            RunResult result = DesktopRun.of(traces, stack(config), played);
            Map<String, Double> metrics = new LinkedHashMap<>(result.metrics());
            metrics.put(DAMAGE, (double) traces.report().damagedBlocks());
            return new RunResult(metrics, result.hitRates(), result.stretchHours());
        }
    }
}
