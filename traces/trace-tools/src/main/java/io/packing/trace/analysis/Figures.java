// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.knowm.xchart.CategoryChart;

/** The figures of §3.3, drawn from the findings of an analysis. */
final class Figures {
    private static final double GB = 1e9;
    private static final double MB = 1 << 20;
    private static final double[] LIFE_MINUTES = {
        0.5, 1, 2, 4, 8, 15, 30, 60, 120, 240, 480, 960, 1440, 2880, 5760, 11520
    };
    private static final double[] QUANTILES = {0.1, 0.25, 0.5, 0.75, 0.9};

    private final Findings findings;

    Figures(Findings findings) {
        this.findings = findings;
    }

    List<Figure> all() {
        return List.of(
                io(),
                causes(),
                data(),
                families(),
                ratios(),
                sizes(),
                lives(),
                locality(),
                heat(
                        "heat-data",
                        "Read heat: data",
                        "(Fig. 3.8a) The data that was read, by the number of its reads.",
                        findings.heatOfData()),
                heat(
                        "heat-io",
                        "Read heat: I/O",
                        "(Fig. 3.8b) The bytes read, by the number of reads of their data.",
                        findings.heatOfIo()),
                sequentiality(),
                calls(),
                shapes());
    }

    private Figure io() {
        Findings.ReadWrite core = findings.coreIo();
        Findings.ReadWrite all = findings.allIo();
        FigureTable table = FigureTable.of("bar", "read_bytes", "written_bytes", "read_share")
                .row("core", core.read(), core.written(), core.readShare())
                .row("with overheads", all.read(), all.written(), all.readShare())
                .build();
        CategoryChart chart = Charts.bars(
                "",
                "GB",
                List.of("core", "with overheads"),
                readWritten(
                        List.of(core.read() / GB, all.read() / GB), List.of(core.written() / GB, all.written() / GB)));
        return Figure.drawn(
                "io-layers",
                "I/O: core and all",
                "(Fig. 3.2, top bars) Core is %s; the rest is overhead.".formatted(new TreeSet<>(findings.core())),
                chart,
                table);
    }

    private Figure causes() {
        Map<String, Findings.ReadWrite> io = findings.ioByCause();
        Map<String, Findings.ReadWrite> calls = findings.callsByCause();
        FigureTable.Builder table =
                FigureTable.of("cause", "read_bytes", "written_bytes", "reads", "writes", "mean_read", "mean_write");
        List<String> names = new ArrayList<>();
        List<Double> read = new ArrayList<>();
        List<Double> written = new ArrayList<>();
        io.forEach((cause, bytes) -> {
            Findings.ReadWrite count = calls.getOrDefault(cause, new Findings.ReadWrite(0, 0));
            table.row(
                    cause,
                    bytes.read(),
                    bytes.written(),
                    count.read(),
                    count.written(),
                    findings.requestSizes(cause, true).mean(),
                    findings.requestSizes(cause, false).mean());
            names.add(cause);
            read.add(bytes.read() / GB);
            written.add(bytes.written() / GB);
        });
        return Figure.drawn(
                "io-causes",
                "I/O by cause",
                "(Fig. 3.2) I/O without a rule is 'unclassified'.",
                Charts.bars("", "GB", orNone(names), readWritten(orZero(read), orZero(written))),
                table.build());
    }

    private Figure data() {
        Map<String, Findings.Touched> live = findings.liveData();
        Findings.Touched none = new Findings.Touched(0, 0, 0);
        Findings.Touched core = live.getOrDefault("core", none);
        Findings.Touched all = live.getOrDefault("all", none);
        FigureTable table = FigureTable.of("bar", "read_only_bytes", "written_only_bytes", "both_bytes", "total_bytes")
                .row("core", core.read(), core.written(), core.both(), core.total())
                .row("with overheads", all.read(), all.written(), all.both(), all.total())
                .build();
        return Figure.drawn(
                "data-layers",
                "Data touched and not deleted",
                "(Fig. 3.3, top bars) Bytes of files alive at the end that received core I/O, and any I/O.",
                Charts.bars("", "GB", List.of("core", "with overheads"), touched(List.of(core, all))),
                table);
    }

    private Figure families() {
        Map<String, Findings.Touched> data = findings.dataByFamily();
        FigureTable.Builder table =
                FigureTable.of("family", "read_only_bytes", "written_only_bytes", "both_bytes", "total_bytes");
        data.forEach((family, of) -> table.row(family, of.read(), of.written(), of.both(), of.total()));
        return Figure.drawn(
                "data-families",
                "Data by family",
                "(Fig. 3.4a) All data touched, deleted files included.",
                Charts.bars("", "GB", orNone(new ArrayList<>(data.keySet())), touched(new ArrayList<>(data.values()))),
                table.build());
    }

    private Figure ratios() {
        Map<String, Findings.ReadWrite> io = findings.ioByFamily();
        Map<String, Double> ratios = findings.ioPerByte();
        FigureTable.Builder table = FigureTable.of("family", "read_bytes", "written_bytes", "io_per_byte");
        List<String> names = new ArrayList<>();
        List<Double> read = new ArrayList<>();
        List<Double> written = new ArrayList<>();
        io.forEach((family, bytes) -> {
            Double ratio = ratios.getOrDefault(family, 0.0);
            table.row(family, bytes.read(), bytes.written(), ratio);
            names.add("%s %.1fx".formatted(family, ratio));
            read.add(bytes.read() / GB);
            written.add(bytes.written() / GB);
        });
        return Figure.drawn(
                "io-families",
                "I/O by family",
                "(Fig. 3.4b) Labels: bytes of I/O per byte of data.",
                Charts.bars("", "GB", orNone(names), readWritten(orZero(read), orZero(written))),
                table.build());
    }

    private Figure sizes() {
        Map<String, Findings.Sizes> sizes = findings.fileSizes();
        FigureTable.Builder table = FigureTable.of("family", "files", "mean", "p10", "p25", "p50", "p75", "p90");
        List<String> names = new ArrayList<>();
        Map<String, List<Double>> points = new LinkedHashMap<>();
        sizes.forEach((family, of) -> {
            table.row(
                    family,
                    of.count(),
                    of.mean(),
                    of.quantile(0.1),
                    of.quantile(0.25),
                    of.quantile(0.5),
                    of.quantile(0.75),
                    of.quantile(0.9));
            names.add("%s (%.0f MB)".formatted(family, of.mean() / MB));
            for (double quantile : QUANTILES) {
                points.computeIfAbsent("%.0f%%".formatted(quantile * 100), name -> new ArrayList<>())
                        .add(Math.max(1, of.quantile(quantile)) / MB);
            }
        });
        if (points.isEmpty()) {
            points.put("50%", List.of(1.0));
        }
        return Figure.drawn(
                "file-sizes",
                "File sizes",
                "(Fig. 3.5) Percentiles by family; in brackets the mean.",
                Charts.points("", "MB", orNone(names), points),
                table.build());
    }

    private Figure lives() {
        FigureTable.Builder table = FigureTable.of(
                "size_class", "created", "bytes", "deleted_in_1min", "deleted_in_8h", "deleted_in_trace");
        Map<String, double[]> lines = new LinkedHashMap<>();
        for (String sizeClass : List.of("small", "medium", "large")) {
            double[] shares = new double[LIFE_MINUTES.length];
            for (int i = 0; i < shares.length; i++) {
                shares[i] = findings.deletedWithin(sizeClass, LIFE_MINUTES[i] * 60);
            }
            lines.put(sizeClass, shares);
            table.row(
                    sizeClass,
                    findings.createdFiles().getOrDefault(sizeClass, 0L),
                    findings.createdBytes().getOrDefault(sizeClass, 0L),
                    findings.deletedWithin(sizeClass, 60),
                    findings.deletedWithin(sizeClass, 8 * 3600),
                    findings.deletedWithin(sizeClass, Double.MAX_VALUE));
        }
        return Figure.drawn(
                "file-lives",
                "Lifetime by size",
                "(Fig. 3.6) Share of the files created in the trace that were deleted within a time. Small: under 16 MB, "
                        + "medium: under 64 MB.",
                Charts.shares("minutes", "share of files", LIFE_MINUTES, lines),
                table.build());
    }

    private Figure locality() {
        Map<String, double[]> map = findings.localityMap();
        long[] minutes = Findings.localityMinutes();
        double[] x = new double[minutes.length];
        FigureTable.Builder table = FigureTable.of("minutes", "same", "within_1KB", "within_64KB", "within_1MB");
        for (int i = 0; i < x.length; i++) {
            x[i] = minutes[i];
            int column = i;
            List<Double> shares =
                    map.values().stream().map(line -> line[column]).toList();
            table.row(minutes[i], shares.get(0), shares.get(1), shares.get(2), shares.get(3));
        }
        return Figure.drawn(
                "locality-map",
                "Locality map of reads",
                "(Fig. 3.7) How often a read was preceded by a read of the same data (line 0), or of data within a distance, "
                        + "in the last minutes.",
                Charts.shares("minutes", "share of reads", x, map),
                table.build());
    }

    private static Figure heat(String name, String title, String caption, Map<Integer, Long> heat) {
        double all = heat.values().stream().mapToLong(Long::longValue).sum();
        FigureTable.Builder table = FigureTable.of("reads", "bytes", "share");
        List<String> names = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            Long bytes = heat.getOrDefault(i, 0L);
            String label = i == 0 ? "1" : i == 6 ? "64+" : (1 << i) + "-" + ((2 << i) - 1);
            table.row(label, bytes, all == 0 ? 0.0 : bytes / all);
            names.add(label);
            values.add(bytes / GB);
        }
        return Figure.drawn(
                name, title, caption, Charts.bars("times read", "GB", names, Map.of("bytes", values)), table.build());
    }

    private Figure sequentiality() {
        Map<String, Findings.ReadWrite> calls = findings.callsByCause();
        Map<String, Findings.ReadWrite> sequential = findings.sequentialByCause();
        FigureTable.Builder table = FigureTable.of("cause", "reads", "sequential_reads", "writes", "sequential_writes");
        calls.forEach((cause, of) -> {
            Findings.ReadWrite in = sequential.getOrDefault(cause, new Findings.ReadWrite(0, 0));
            table.row(cause, of.read(), share(in.read(), of.read()), of.written(), share(in.written(), of.written()));
        });
        return Figure.ofNumbers(
                "sequentiality",
                "Sequentiality",
                "The share of reads and writes that began where the one before on their stream had ended.",
                table.build());
    }

    private Figure calls() {
        FigureTable.Builder table = FigureTable.of("call", "events", "calls", "errors", "mean_us", "p50_us", "p99_us");
        findings.calls()
                .forEach((label, of) -> table.row(
                        label, of.events(), of.calls(), of.errors(), of.meanMicros(), of.micros(0.5), of.micros(0.99)));
        return Figure.ofNumbers(
                "calls",
                "Calls",
                "Counts and latencies, as the client saw them. An event may stand for a run of small calls; then its calls "
                        + "share its time evenly.",
                table.build());
    }

    private Figure shapes() {
        FigureTable.Builder table = FigureTable.of("what", "count", "mean_bytes", "p10", "p50", "p90", "p99");
        row(table, "write to a log", findings.logWrites());
        row(table, "bytes between hflush or hsync", findings.syncSizes());
        for (String cause : findings.callsByCause().keySet()) {
            for (boolean read : new boolean[] {true, false}) {
                Findings.Sizes sizes = findings.requestSizes(cause, read);
                if (sizes.count() > 0) {
                    row(table, cause + (read ? " read" : " write"), sizes);
                }
            }
        }
        return Figure.ofNumbers("request-sizes", "Small writes, syncs and request sizes", "In bytes.", table.build());
    }

    private static void row(FigureTable.Builder table, String what, Findings.Sizes of) {
        table.row(what, of.count(), of.mean(), of.quantile(0.1), of.quantile(0.5), of.quantile(0.9), of.quantile(0.99));
    }

    private static double share(long part, long all) {
        return all == 0 ? 0 : (double) part / all;
    }

    private static Map<String, List<Double>> readWritten(List<Double> read, List<Double> written) {
        Map<String, List<Double>> series = new LinkedHashMap<>();
        series.put("read", read);
        series.put("written", written);
        return series;
    }

    private static Map<String, List<Double>> touched(List<Findings.Touched> bars) {
        Map<String, List<Double>> series = new LinkedHashMap<>();
        series.put("only read", orZero(bars.stream().map(bar -> bar.read() / GB).toList()));
        series.put(
                "only written",
                orZero(bars.stream().map(bar -> bar.written() / GB).toList()));
        series.put("both", orZero(bars.stream().map(bar -> bar.both() / GB).toList()));
        return series;
    }

    /** Replaces no names by one empty bar: an empty trace cannot be drawn otherwise. */
    private static List<String> orNone(List<String> names) {
        return names.isEmpty() ? List.of("none") : names;
    }

    private static List<Double> orZero(List<Double> values) {
        return values.isEmpty() ? List.of(0.0) : values;
    }
}
