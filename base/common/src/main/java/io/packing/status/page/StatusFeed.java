// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The source of a status page's content, as JSON: the daemon's report, its rates, and plots of its last samples.
 * Confined to one thread.
 */
final class StatusFeed {
    /** The most rows of a table: operators do not read more, and each open page would receive them all. */
    static final int MOST_ROWS = 1_000;

    private static final double SECONDS_A_DAY = 86_400;

    private final Supplier<DaemonReport> source;
    private final Clock wall;
    private final LongSupplier nanos;
    private final Duration every;
    private final long startedMillis;
    private final SampleHistory history = new SampleHistory();
    /** Computes rates since the last sample. */
    private Rates lately = Rates.NONE;
    /**
     * The rates between the last two samples, by worker. The page shows these, so they agree with the ends of its
     * plots.
     */
    private Map<String, Rates.Rate> shown = Map.of();

    private Rates.Rate shownOfAll = Rates.Rate.NONE;
    /** The cost of all requests up to each sample of the history. */
    private final Deque<Spent> spent = new ArrayDeque<>();

    private long firstNanos;
    private long lastNanos;
    private long samples;
    private long sampledNanos;
    private Optional<DaemonReport> sampled = Optional.empty();
    private String failure = "";

    private record Spent(long nanos, double dollars) {}

    /**
     * Creates a feed without samples.
     *
     * @param every the time between samples
     */
    StatusFeed(Supplier<DaemonReport> source, Clock wall, LongSupplier nanos, Duration every) {
        this.every = every;
        this.source = source;
        this.wall = wall;
        this.nanos = nanos;
        this.startedMillis = wall.millis();
    }

    /** A row about a worker. */
    record WorkerLine(
            String mount,
            String worker,
            String address,
            int page,
            long bufferedFiles,
            long bufferedBytes,
            double oldestSeconds,
            double filesPerS,
            double bytesPerS,
            long pushedBytes,
            long throttled) {}

    /** The plots. */
    record Plots(double everySeconds, long endMillis, Map<String, List<Double>> series) {}

    /**
     * The whole content.
     *
     * @param mounts at most {@link #MOST_ROWS}, those with problems first
     * @param workers likewise, those whose oldest file waits longest first
     * @param directories likewise, those with most files first
     * @param dollarsPerDay at the rate of the plots' time; empty when unknown
     */
    record Page(
            String daemon,
            String name,
            long startedMillis,
            long nowMillis,
            Optional<String> problem,
            List<String> notes,
            Map<String, Object> totals,
            List<DaemonReport.MountRow> mounts,
            List<WorkerLine> workers,
            List<DaemonReport.RequestRow> requests,
            List<DaemonReport.DirectoryRow> directories,
            Optional<Double> dollars,
            Optional<Double> dollarsPerDay,
            List<DaemonReport.Fact> facts,
            List<DaemonReport.SlowWork> slow,
            List<DaemonReport.RecoveryRow> recoveries,
            Plots history) {}

    /** Takes a sample for the plots. A report that fails leaves a gap, and the page says why. */
    void sample() {
        Map<String, Double> sample = new LinkedHashMap<>();
        long now = nanos.getAsLong();
        if (samples++ == 0) {
            firstNanos = now;
        }
        lastNanos = now;
        try {
            DaemonReport report = source.get();
            fill(sample, report, now);
            shown = lately.each(report, now);
            shownOfAll = lately.all(report, now);
            lately = Rates.since(report, now);
            sampled = Optional.of(report);
            sampledNanos = now;
            dollars(report).ifPresent(sum -> spent.add(new Spent(now, sum)));
            failure = "";
        } catch (RuntimeException | Error e) {
            failure = "the daemon could not say how it is: " + e;
        }
        history.add(sample);
        while (spent.size() > history.size()) {
            spent.remove();
        }
    }

    private void fill(Map<String, Double> sample, DaemonReport report, long now) {
        double seconds = (now - sampledNanos) / 1e9;
        boolean first = sampled.isEmpty();
        Rates.Rate rate = lately.all(report, now);
        sample.put("pushed_bytes_per_s", first ? Double.NaN : rate.bytes());
        sample.put("pushed_files_per_s", first ? Double.NaN : rate.files());
        sample.put("buffered_bytes", (double) report.workers().stream()
                .mapToLong(DaemonReport.WorkerRow::bufferedBytes)
                .sum());
        sample.put("oldest_seconds", oldest(report));
        sample.put("puts_per_s", first ? Double.NaN : since(report, seconds, DaemonReport.RequestRow::puts));
        sample.put("throttled_per_s", first ? Double.NaN : since(report, seconds, DaemonReport.RequestRow::throttled));
    }

    private double since(DaemonReport report, double seconds, ToLongFunction<DaemonReport.RequestRow> count) {
        long before = sampled.map(
                        last -> last.requests().stream().mapToLong(count).sum())
                .orElse(0L);
        long now = report.requests().stream().mapToLong(count).sum();
        return seconds > 0 ? Math.max(0, now - before) / seconds : Double.NaN;
    }

    private static double oldest(DaemonReport report) {
        return report.workers().stream()
                .mapToDouble(DaemonReport.WorkerRow::oldestSeconds)
                .max()
                .orElse(0);
    }

    private static OptionalDouble dollars(DaemonReport report) {
        double sum = 0;
        for (DaemonReport.RequestRow row : report.requests()) {
            if (row.dollars().isEmpty()) {
                return OptionalDouble.empty();
            }
            sum += row.dollars().get();
        }
        return report.requests().isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sum);
    }

    /** Returns the page's content now, in UTF-8. */
    byte[] json() {
        DaemonReport report;
        long now = nanos.getAsLong();
        try {
            report = source.get();
        } catch (RuntimeException | Error e) {
            report = sampled.orElse(EMPTY);
            failure = "the daemon could not say how it is: " + e;
        }
        return JsonText.of(page(report, now)).getBytes(StandardCharsets.UTF_8);
    }

    private static final DaemonReport EMPTY = new DaemonReport(
            "daemon",
            "",
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            List.of());

    private Page page(DaemonReport report, long now) {
        OptionalDouble dollars = dollars(report);
        return new Page(
                report.daemon(),
                report.name(),
                startedMillis,
                wall.millis(),
                failure.isEmpty() ? report.problem() : Optional.of(failure),
                report.notes(),
                totals(report),
                report.mounts().stream()
                        .sorted(Comparator.comparing((DaemonReport.MountRow row) ->
                                        row.problem().isEmpty())
                                .thenComparing(DaemonReport.MountRow::store))
                        .limit(MOST_ROWS)
                        .toList(),
                lines(report),
                report.requests(),
                report.directories().stream()
                        .sorted(Comparator.comparingLong(DaemonReport.DirectoryRow::files)
                                .reversed()
                                .thenComparing(DaemonReport.DirectoryRow::mount)
                                .thenComparing(DaemonReport.DirectoryRow::directory))
                        .limit(MOST_ROWS)
                        .toList(),
                dollars.isPresent() ? Optional.of(dollars.getAsDouble()) : Optional.empty(),
                perDay(dollars, now),
                report.facts(),
                report.slow().stream().limit(MOST_ROWS).toList(),
                report.recoveries(),
                new Plots(interval(), wall.millis() - (now - sampledNanos) / 1_000_000, history.series()));
    }

    /** Returns the seconds between samples, by the clock that samples are stamped with. */
    private double interval() {
        return samples < 2 ? every.toMillis() / 1e3 : (lastNanos - firstNanos) / 1e9 / (samples - 1);
    }

    private Map<String, Object> totals(DaemonReport report) {
        Map<String, Object> totals = new LinkedHashMap<>();
        totals.put("mounts", report.mounts().size());
        totals.put("workers", report.workers().size());
        totals.put("directories", report.directories().size());
        totals.put("files", sum(report, DaemonReport.MountRow::files));
        totals.put("blobs", sum(report, DaemonReport.MountRow::blobs));
        totals.put("logical_bytes", sum(report, DaemonReport.MountRow::logicalBytes));
        totals.put("physical_bytes", sum(report, DaemonReport.MountRow::physicalBytes));
        totals.put("dead_bytes", sum(report, DaemonReport.MountRow::deadBytes));
        totals.put("lost_files", sum(report, DaemonReport.MountRow::lostFiles));
        totals.put(
                "buffered_files",
                report.workers().stream()
                        .mapToLong(DaemonReport.WorkerRow::bufferedFiles)
                        .sum());
        totals.put(
                "buffered_bytes",
                report.workers().stream()
                        .mapToLong(DaemonReport.WorkerRow::bufferedBytes)
                        .sum());
        totals.put("oldest_seconds", oldest(report));
        totals.put("files_per_s", shownOfAll.files());
        totals.put("bytes_per_s", shownOfAll.bytes());
        return totals;
    }

    private static long sum(DaemonReport report, ToLongFunction<DaemonReport.MountRow> count) {
        return report.mounts().stream().mapToLong(count).sum();
    }

    private List<WorkerLine> lines(DaemonReport report) {
        List<DaemonReport.WorkerRow> rows = new ArrayList<>(report.workers());
        rows.sort(Comparator.comparingDouble(DaemonReport.WorkerRow::oldestSeconds)
                .reversed()
                .thenComparing(DaemonReport.WorkerRow::worker));
        return rows.stream()
                .limit(MOST_ROWS)
                .map(row -> {
                    Rates.Rate rate = shown.getOrDefault(row.key(), Rates.Rate.NONE);
                    return new WorkerLine(
                            row.mount(),
                            row.worker(),
                            row.address(),
                            row.page(),
                            row.bufferedFiles(),
                            row.bufferedBytes(),
                            row.oldestSeconds(),
                            rate.files(),
                            rate.bytes(),
                            row.pushedBytes(),
                            row.throttled());
                })
                .toList();
    }

    private Optional<Double> perDay(OptionalDouble dollars, long now) {
        Spent first = spent.peek();
        if (first == null || dollars.isEmpty() || now - first.nanos() <= 0) {
            return Optional.empty();
        }
        double seconds = (now - first.nanos()) / 1e9;
        return Optional.of(Math.max(0, dollars.getAsDouble() - first.dollars()) / seconds * SECONDS_A_DAY);
    }
}
